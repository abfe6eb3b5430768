import { forwardRef, type ComponentProps, type ReactNode } from "react";
import { CrossCircle, Lock } from "./icons";

/** A text input with label, hint and error (C-05, C-06). Uncontrolled, so hydration loses nothing already typed. */
export interface TextFieldProps extends Omit<ComponentProps<"input">, "className" | "id" | "ref"> {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** The message, and the word before it that names the icon ("Błąd"). */
  readonly error?: { readonly word: string; readonly text: string } | undefined;
  /** Id of an alert that describes the error, instead of a message at the field. */
  readonly describedByAlert?: string | undefined;
  /** Rules for password generators (Apple's `passwordrules`). */
  readonly passwordrules?: string;
  /** A short code: wide digits in a narrow box. */
  readonly code?: boolean;
  /** The hint stands under the box, so that the first boxes of two columns align (F26). By default, for a code. */
  readonly hintUnder?: boolean;
  /** At the end of the label's line: an explanation that opens. */
  readonly help?: ReactNode;
  /** Beside the label: a link that explains it. */
  readonly besideLabel?: ReactNode;
  /** At the right end inside the input: a toggle. */
  readonly trailing?: ReactNode;
  /** After the field: an explanation, a checklist. */
  readonly children?: ReactNode;
  /** Ids of other elements that describe the field. */
  readonly describedBy?: string | undefined;
}

/** A text, password or code field: label, hint, input, error, in this order. */
export const TextField = forwardRef<HTMLInputElement, TextFieldProps>(function TextField(
  {
    label,
    hint,
    error,
    describedByAlert,
    code = false,
    hintUnder = code,
    help,
    besideLabel,
    trailing,
    children,
    describedBy,
    ...input
  },
  ref,
) {
  const invalid = error !== undefined || describedByAlert !== undefined;
  const locked = (input.readOnly ?? false) || (input.disabled ?? false);
  const errorId = `${input.id}-error`;
  const hintId = `${input.id}-hint`;
  const described = [error && errorId, describedByAlert, hint && hintId, describedBy]
    .filter(Boolean)
    .join(" ");
  const hintLine = hint !== undefined && (
    <p id={hintId} className="mt-1 text-sm text-muted">
      {hint}
    </p>
  );
  return (
    <div data-field className={invalid ? "relative border-l-4 border-danger pl-3" : "relative"}>
      <div className={besideLabel === undefined ? undefined : "flex items-center"}>
        <label htmlFor={input.id} className="min-w-0 font-semibold">
          {label}
        </label>
        {besideLabel}
      </div>
      {help}
      {!hintUnder && hintLine}
      <div className={`relative mt-1.5 ${code ? "max-w-xs" : ""}`}>
        <input
          {...input}
          ref={ref}
          className={inputLook({
            invalid,
            locked,
            code,
            trailing: trailing !== undefined,
          })}
          aria-invalid={invalid || undefined}
          aria-describedby={described === "" ? undefined : described}
        />
        {trailing}
        {locked && <Lock className="pointer-events-none absolute right-3.5 top-3.5 h-6 w-6 text-muted" />}
      </div>
      {hintUnder && hintLine}
      <div aria-live="polite">
        {error && (
          <p id={errorId} className="mt-1.5 flex text-sm text-danger">
            <CrossCircle className="mr-1.5 h-5 w-5 flex-none" />
            <span>
              <span className="sr-only">{error.word}: </span>
              {error.text}
            </span>
          </p>
        )}
      </div>
      {children}
    </div>
  );
});

interface InputState {
  readonly invalid: boolean;
  readonly locked: boolean;
  readonly code: boolean;
  readonly trailing: boolean;
}

function inputLook({ invalid, locked, code, trailing }: InputState): string {
  const border = invalid
    ? "border-2 border-danger"
    : locked
      ? "border border-line"
      : "border border-field hover:border-primary";
  const size = code ? "text-2xl tracking-widest" : "text-base";
  const surface = locked ? "bg-sunken" : "bg-card";
  return `block min-h-button-lg w-full rounded-control py-2 pl-3.5 text-ink ${trailing ? "pr-20" : locked ? "pr-12" : "pr-3.5"} ${surface} ${border} ${size}`;
}
