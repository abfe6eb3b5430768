import { Button, PlainButtonLink, ShowToggle } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { ErrorSummary } from "~/ui/error-summary";
import { ForScripts } from "~/ui/for-scripts";
import { TwoTabsPicture } from "~/ui/illustrations";
import { FieldError } from "~/ui/text-field";
import type { layoutOf } from "./layout.server";

/** Several errors are a list, a single one isn't. */
const TWO_ERRORS = ["#1", "#2"].map((href) => ({ href, text: " " }));

/** The parts that scripts put into pages: error messages, the button that shows a password, a second tab's message. */
export function PartsForScripts({
  words: { oneTab, errorWord, lost },
}: {
  readonly words: Pick<ReturnType<typeof layoutOf>, "oneTab" | "errorWord" | "lost">;
}) {
  return (
    <>
      <ForScripts name="alert">
        <ErrorSummary id="errors" title=" " text=" " items={TWO_ERRORS} />
      </ForScripts>
      <ForScripts name="only-alert">
        <ErrorSummary id="errors" title=" " word={errorWord} items={TWO_ERRORS.slice(1)} />
      </ForScripts>
      <ForScripts name="lost">
        <div className="page-grid pt-4">
          <ErrorSummary id="lost-connection" {...lost} items={[]} />
        </div>
      </ForScripts>
      <ForScripts name="field-error">
        <FieldError id="error" word={errorWord} text=" " />
      </ForScripts>
      <ForScripts name="show-toggle">
        <ShowToggle />
      </ForScripts>
      <ForScripts name="second-tab" said={oneTab.header}>
        <Dialog
          id="single-tab"
          role="alertdialog"
          picture={<TwoTabsPicture />}
          header={oneTab.header}
          message={oneTab.only}
          body={<p className="mt-2">{oneTab.text}</p>}
          open
        >
          <Button type="button" data-escape>
            {oneTab.retry}
          </Button>
          <span role="status" className="sr-only" />
        </Dialog>
      </ForScripts>
    </>
  );
}

/** The id the header's link points to. */
export const SIGN_OUT_ID = "sign-out";

/**
 * "Do you want to sign out?" A link to `#sign-out` opens it. Without a stylesheet it is at the end of the page, so
 * customers can sign out in every browser.
 */
export function SignOutQuestion({
  header,
  message,
  back,
  confirm,
}: {
  readonly header: string;
  readonly message: string;
  readonly back: string;
  readonly confirm: string;
}) {
  return (
    <Dialog id={SIGN_OUT_ID} header={header} message={message}>
      <form method="post" action="/home/logout" className="sm:ml-3">
        {/* Lynx sends a form without a value as a GET. */}
        <input type="hidden" name="intent" value="sign-out" />
        <Button type="submit">{confirm}</Button>
      </form>
      <span className="mt-3 block sm:mt-0">
        <PlainButtonLink variant="secondary" href="#content" data-escape>
          {back}
        </PlainButtonLink>
      </span>
    </Dialog>
  );
}
