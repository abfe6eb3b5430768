import type { RefObject } from "react";
import { PASSWORD_CONDITIONS, unmetConditions, type PasswordCondition } from "~/contract/rules";
import { useDebounced, useFieldValue } from "~/enhancements/live-checklist";
import { Checklist, type ChecklistItem, type ChecklistWords } from "~/ui/checklist";

/** The words of the checklist; `summary` has placeholders for `{{met}}`, `{{total}}` and `{{missing}}`. */
export interface PasswordChecklistWords extends ChecklistWords, Readonly<Record<PasswordCondition, string>> {
  readonly summary: string;
  readonly allMet: string;
}

/** The live list of password conditions (specification §2, Set password). `refused`: the server found unmet conditions. */
export function PasswordChecklist({
  id,
  inputRef,
  words,
  refused,
}: {
  readonly id: string;
  readonly inputRef: RefObject<HTMLInputElement>;
  readonly words: PasswordChecklistWords;
  readonly refused: boolean;
}) {
  const typed = useFieldValue(inputRef);
  const unmet = typed === undefined ? undefined : unmetConditions(typed);
  const items = PASSWORD_CONDITIONS.map((condition): ChecklistItem => {
    const missing = unmet?.includes(condition);
    const state = missing === undefined ? "open" : missing ? (refused ? "missing" : "unmet") : "met";
    return { text: words[condition], state };
  });
  const announced = useDebounced(unmet ? summary(words, unmet) : "");
  return (
    <>
      <Checklist id={id} words={words} items={items} />
      <p role="status" className="sr-only">
        {announced}
      </p>
    </>
  );
}

function summary(words: PasswordChecklistWords, unmet: readonly PasswordCondition[]): string {
  if (unmet.length === 0) return words.allMet;
  return words.summary
    .replace("{{met}}", String(PASSWORD_CONDITIONS.length - unmet.length))
    .replace("{{total}}", String(PASSWORD_CONDITIONS.length))
    .replace("{{missing}}", () => unmet.map((condition) => words[condition]).join(", "));
}
