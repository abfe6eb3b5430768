import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { ErrorSummary } from "~/ui/error-summary";
import { ForScripts } from "~/ui/for-scripts";
import { TwoTabsPicture } from "~/ui/illustrations/two-tabs";
import { ShowToggle } from "~/ui/show-toggle";
import { FieldError } from "~/ui/text-field";
import type { layoutOf } from "./layout.server";

/** What scripts put into any page: error messages, the button that shows a password, the message in a second tab. */
export function PartsForScripts({
  words: { oneTab, errorWord, lost },
}: {
  readonly words: Pick<ReturnType<typeof layoutOf>, "oneTab" | "errorWord" | "lost">;
}) {
  return (
    <>
      <ForScripts name="alert">
        <ErrorSummary id="errors" title=" " text=" " items={[{ href: "#", text: " " }]} />
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
