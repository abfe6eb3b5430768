import type { SubmissionResult } from "@conform-to/react";
import type { DialogButton } from "./error-catalogue";

/** What a screen shows when its form was refused: the action's data. All texts are ready to be read. */
export interface RefusedForm {
  /** For conform: what was typed (never passwords and codes) and the errors of the fields. */
  readonly result: SubmissionResult;
  /** The summary or banner above the form. */
  readonly alert?: FormAlert | undefined;
  /** The modal error of the catalogue. */
  readonly dialog?: FormDialog | undefined;
}

/** The first thing in `main` after a failed submit; the focus goes there. */
export interface FormAlert {
  readonly title: string;
  readonly text?: string | undefined;
  /** Links to the fields in error. */
  readonly items: readonly { readonly field: string; readonly text: string }[];
  /** The alert says it for its fields: they are invalid without a message of their own. */
  readonly speaksForFields: boolean;
}

/** A modal error with its buttons (form contract, "Answers"). */
export interface FormDialog {
  readonly header: string;
  readonly message: string;
  readonly confirm: { readonly does: DialogButton; readonly text: string };
  readonly cancel?: string | undefined;
}
