// Without it: no tab counts as a second one.
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { TwoTabsPicture } from "~/ui/illustrations/two-tabs";
import { useModalDialog } from "../modal-dialog";

export interface SingleTabWords {
  readonly header: string;
  readonly only: string;
  readonly text: string;
  readonly retry: string;
}

/** The message in a second tab, with a button to check again whether the first one is closed. */
export function SecondTabOverlay({
  words,
  answer,
  check,
}: {
  readonly words: SingleTabWords;
  /** The result of the check, read out. */
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
