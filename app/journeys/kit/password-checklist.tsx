import { PASSWORD_CONDITIONS, type PasswordCondition, SPECIAL_CHARACTERS } from "~/contract/rules";
import type { Weakness } from "~/contract/rules/weak-password";
import { inEachLanguage } from "~/i18n/languages";
import { textsIn } from "~/i18n/texts.server";
import { useTexts } from "~/i18n/use-texts";
import { Checklist } from "~/ui/checklist";

/** The texts of the checklist. `missing`: the conditions as they read after "still missing" in `summary`. */
interface PasswordChecklistWords extends Readonly<Record<PasswordCondition | Weakness, string>> {
  readonly met: string;
  readonly unmet: string;
  readonly missing: Readonly<Record<PasswordCondition, string>>;
  /** With the placeholder `{{missing}}`. */
  readonly summary: string;
  readonly allMet: string;
}

const WORDS = inEachLanguage((language): PasswordChecklistWords => {
  const t = textsIn(language);
  return {
    length: t("password:checklist.length"),
    uppercase: t("password:checklist.uppercase"),
    digit: t("password:checklist.digit"),
    met: t("password:checklist.met"),
    unmet: t("password:checklist.unmet"),
    allMet: t("password:checklist.allMet"),
    personal: t("password:weak.personal"),
    common: t("password:weak.common"),
    special: t("password:checklist.special", { chars: SPECIAL_CHARACTERS }),
    missing: {
      length: t("password:checklist.missing.length"),
      uppercase: t("password:checklist.missing.uppercase"),
      digit: t("password:checklist.missing.digit"),
      special: t("password:checklist.missing.special"),
    },
    // The browser fills it in as the visitor types.
    summary: t("password:checklist.summary", { missing: "{{missing}}" }),
  };
});

/**
 * The list of password conditions, which scripts keep up to date (specification §2, Set password), and a hint if the
 * password is weak (S80). `personal`: words that a password shouldn't contain. `advice`: a hint from the server, which
 * knows more than the browser.
 */
export function PasswordChecklist({
  id,
  personal,
  advice,
  isRefused,
}: {
  readonly id: string;
  readonly personal: readonly string[];
  readonly advice: string | undefined;
  readonly isRefused: boolean;
}) {
  const words = WORDS[useTexts().language];
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
