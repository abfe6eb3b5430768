import { PASSWORD_CONDITIONS, type PasswordCondition } from "~/contract/rules";
import type { Weakness } from "~/forms/rules/weak-password";
import { Checklist } from "~/ui/checklist";

/** The words of the checklist. `missing`: the conditions as they read after "still missing" in `summary`. */
export interface PasswordChecklistWords extends Readonly<Record<PasswordCondition | Weakness, string>> {
  readonly met: string;
  readonly unmet: string;
  readonly missing: Readonly<Record<PasswordCondition, string>>;
  /** With the placeholder `{{missing}}`. */
  readonly summary: string;
  readonly allMet: string;
}

/**
 * The list of password conditions, which scripts keep up to date (specification §2, Set password), and a hint if the
 * password is weak (S80). `personal`: words that a password shouldn't contain. `advice`: a hint from the server, which
 * knows more than the browser.
 */
export function PasswordChecklist({
  id,
  words,
  personal,
  advice,
  isRefused,
}: {
  readonly id: string;
  readonly words: PasswordChecklistWords;
  readonly personal: readonly string[];
  readonly advice: string | undefined;
  readonly isRefused: boolean;
}) {
  const { length: _length, ...said } = words;
  return (
    <div data-checklist={JSON.stringify({ ...said, personalWords: personal })}>
      <Checklist
        id={id}
        items={PASSWORD_CONDITIONS.map((condition) => ({ text: words[condition], state: "open" }))}
        hint={advice}
        open={isRefused}
      />
      <p role="status" className="sr-only" />
    </div>
  );
}
