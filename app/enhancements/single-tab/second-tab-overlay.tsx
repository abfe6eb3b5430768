// Without it: there is no second tab to speak of.
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { TwoTabsPicture } from "~/ui/illustrations/two-tabs";
import { useModalDialog } from "../modal-dialog";

/** The words of the overlay. */
export interface SingleTabWords {
  readonly header: string;
  readonly only: string;
  readonly text: string;
  readonly retry: string;
}

/** The message of a second tab, and the way to ask again whether the first one is gone. */
export function SecondTabOverlay({
  words,
  answer,
  check,
}: {
  readonly words: SingleTabWords;
  /** What came of asking again: read out. */
  readonly answer: string;
  readonly check: () => void;
}) {
  const ref = useModalDialog();
  return (
    <Dialog
      ref={ref}
      id="single-tab"
      role="alertdialog"
      picture={<TwoTabsPicture />}
      header={words.header}
      message={words.only}
      body={<p className="mt-2">{words.text}</p>}
      open
    >
      <Button type="button" data-escape onClick={check}>
        {words.retry}
      </Button>
      <span role="status" className="sr-only">
        {answer}
      </span>
    </Dialog>
  );
}
