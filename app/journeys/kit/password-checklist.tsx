import type { RefObject } from "react";
import { PASSWORD_CONDITIONS, unmetConditions, type PasswordCondition } from "~/contract/rules";
import { useDebounced, useFieldValue, useUntilChanged, useWeakness } from "~/enhancements/live-checklist";
import type { RefusedForm } from "~/forms/refused-form";
import type { Weakness } from "~/forms/rules/weak-password";
import { Checklist, type ChecklistItem, type ChecklistWords } from "~/ui/checklist";

/** The words of the checklist. `missing`: the conditions as they read after "still missing" in `summary`. */
export interface PasswordChecklistWords
  extends ChecklistWords,
    Readonly<Record<PasswordCondition | Weakness, string>> {
  readonly missing: Readonly<Record<PasswordCondition, string>>;
  /** With a gap for `{{missing}}`. */
  readonly summary: string;
  readonly allMet: string;
}

/**
 * The live list of password conditions (specification §2, Set password), and a hint if the password is weak (S80).
 * `error`: the server found unmet conditions. `refused`: the form's refusal, perhaps with a hint of the server, which
 * knows more than the browser. `personal`: what a password shouldn't contain.
 */
export function PasswordChecklist({
  id,
  inputRef,
  words,
  personal,
  refused,
  error,
}: {
  readonly id: string;
  readonly inputRef: RefObject<HTMLInputElement>;
  readonly words: PasswordChecklistWords;
  readonly personal: readonly string[];
  readonly refused: RefusedForm | undefined;
  readonly error: boolean;
}) {
  const typed = useFieldValue(inputRef);
  const unmet = typed === undefined ? undefined : unmetConditions(typed);
  const items = PASSWORD_CONDITIONS.map((condition): ChecklistItem => {
    const missing = unmet?.includes(condition);
    const state = missing === undefined ? "open" : missing ? (error ? "missing" : "unmet") : "met";
    return { text: words[condition], state };
  });
  const weakness = useWeakness(unmet?.length === 0 ? typed : undefined, personal);
  const advice = useUntilChanged(inputRef, typed, { text: refused?.advice, since: refused });
  const hint = weakness === undefined ? advice : words[weakness];
  const announced = useDebounced(unmet ? [summary(words, unmet), hint].filter(Boolean).join(" ") : "");
  return (
    <>
      <Checklist id={id} words={words} items={items} hint={hint} />
      <p role="status" className="sr-only">
        {announced}
      </p>
    </>
  );
}

function summary(words: PasswordChecklistWords, unmet: readonly PasswordCondition[]): string {
  if (unmet.length === 0) return words.allMet;
  const missing = unmet.map((condition) => words.missing[condition]).join(", ");
  return words.summary.replace("{{missing}}", missing);
}
