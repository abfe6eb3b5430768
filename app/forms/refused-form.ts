import type { SubmissionResult } from "@conform-to/react";
import type { DialogButton } from "~/contract/errors";

/** Instead of 007 or 010, where the portal knows that the code has ended. */
export const CODE_ENDED = "code-ended";

/** A refused form as its screen shows it: the action's data. All texts are ready to show. */
export interface RefusedForm {
  /** For conform: the typed values (never passwords or codes) and the field errors. */
  readonly result: SubmissionResult;
  /** The summary or banner above the form. */
  readonly alert?: FormAlert | undefined;
  /** The backend's code, if it refused with one (specification §8), or `CODE_ENDED`. */
  readonly errorCode?: string | undefined;
  /** The backend doesn't know the passkey that was sent: the browser tells its device to stop offering it. */
  readonly unknownPasskey?: boolean | undefined;
  /** Advice on a password that breaks no rule (S80). */
  readonly advice?: string | undefined;
  /** Whether fields were sent or are at fault, so that the screen shows them even before a code was sent (F39). */
  readonly concernsFields?: boolean | undefined;
  /** The catalogue's modal error. */
  readonly dialog?: FormDialog | undefined;
}

/** The first thing in `main` after a failed submit; it gets the focus. */
export interface FormAlert {
  readonly title: string;
  /** Read out before the title, for people who can't see that it is an error; absent if the title says so. */
  readonly word?: string | undefined;
  readonly text?: string | undefined;
  /** Links to the fields in error. */
  readonly items: readonly { readonly field: string; readonly text: string }[];
  /** The fields are marked invalid but have no message of their own: the alert covers them. */
  readonly speaksForFields: boolean;
}

/** A modal error with its buttons (form contract, "Answers"). */
export interface FormDialog {
  readonly header: string;
  readonly message: string;
  /** `to`: the address that the button leads to, instead of the start page, if a change can't be made now. */
  readonly confirm: { readonly does: DialogButton; readonly text: string; readonly to?: string | undefined };
  readonly cancel?: string | undefined;
  /** The account is locked, has expired or is disabled. */
  readonly isBarred?: boolean | undefined;
  /** The ways out for a customer behind a timed lock: set a new password, or call. */
  readonly waysOut?: { readonly reset: string; readonly call: string } | undefined;
}
