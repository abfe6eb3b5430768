import { LABEL, type PageWords } from "~/contract/rules/page";
import { inEachLanguage } from "~/i18n/languages";
import { textsIn } from "~/i18n/texts.server";
import { useTexts } from "~/i18n/use-texts";
import { Button, ShowToggle } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { ErrorSummary } from "~/ui/error-summary";
import { partForScripts } from "~/ui/for-scripts";
import { TwoTabsPicture } from "~/ui/illustrations";
import { FieldError } from "~/ui/text-field";

/** The texts of scripts for any page, as JSON (browser/page.ts). */
export const WORDS_FOR_SCRIPTS = inEachLanguage((language) => {
  const t = textsIn(language);
  const label = LABEL;
  const words: PageWords = {
    wait: t("common:loading.default"),
    slow: t("common:loading.slow"),
    show: t("common:field.show"),
    hide: t("common:field.hide"),
    shown: t("common:field.charsShown"),
    hidden: t("common:field.charsHidden"),
    capsLock: t("common:field.capsLock"),
    errorPrefix: t("common:app.titleError", { title: "" }),
    showField: t("common:field.showChars", { label }),
    hideField: t("common:field.hideChars", { label }),
  };
  return JSON.stringify(words);
});

/** Several errors are a list, a single one isn't. */
const TWO_ERRORS = ["#1", "#2"].map((href) => ({ href, text: " " }));

/** The parts that scripts put into pages: error messages, the button that shows a password, a second tab's message. */
const PARTS = inEachLanguage((language) => {
  const t = textsIn(language);
  const part = (name: string, shown: React.ReactElement, said?: string) =>
    partForScripts(t, { name, shown, said });
  const word = t("common:a11y.error");
  return [
    part("alert", <ErrorSummary id="errors" title=" " text=" " items={TWO_ERRORS} />),
    part("only-alert", <ErrorSummary id="errors" title=" " word={word} items={TWO_ERRORS.slice(1)} />),
    part(
      "lost",
      <div className="page-grid pt-4">
        <ErrorSummary
          id="lost-connection"
          title={t("common:connection.title")}
          text={t("common:connection.text")}
          items={[]}
        />
      </div>,
    ),
    part("field-error", <FieldError id="error" text=" " />),
    part("show-toggle", <ShowToggle />),
    part(
      "second-tab",
      <Dialog
        id="single-tab"
        role="alertdialog"
        picture={<TwoTabsPicture />}
        header={t("signIn:error.oneTabHeader")}
        message={t("signIn:error.oneTabOnly")}
        body={<p className="mt-2">{t("signIn:error.oneTabText")}</p>}
        open
      >
        <Button type="button" data-escape>
          {t("signIn:error.oneTabRetry")}
        </Button>
        <span role="status" className="sr-only" />
      </Dialog>,
      t("signIn:error.oneTabHeader"),
    ),
  ];
});

/** The parts for scripts of every page, which are the same on all pages of a language. */
export function PartsForScripts() {
  return PARTS[useTexts().language].map((part) => <span key={part["data-for-scripts"]} {...part} />);
}
