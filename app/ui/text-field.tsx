import type { ComponentProps, ReactNode } from "react";
import { useTexts } from "~/i18n/use-texts";
import { CrossCircle, Lock, QuestionCircle } from "./icons";

/** A text input with label, hint and error (C-05, C-06). Uncontrolled: the browser alone keeps the typed value. */
export interface TextFieldProps extends Omit<ComponentProps<"input">, "className" | "id" | "ref"> {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  /** The message, to whose id `aria-describedby` leads. `isAlert`: no alert above the form says it. */
  readonly error?: FieldErrorProps | undefined;
  /** Rules for password generators (Apple's `passwordrules`). */
  readonly passwordrules?: string;
  /** A one-time code: a box with room for six digits. */
  readonly code?: boolean;
  /** The hint stands under the box, so that the first boxes of two columns align (F26). By default, for a code. */
  readonly hintUnder?: boolean;
  /** At the end of the label's line: an explanation that opens. */
  readonly help?: ReactNode;
  /** Beside the label: a link that explains it. */
  readonly besideLabel?: ReactNode;
  /** Its characters are hidden; scripts add a button that shows them. */
  readonly secret?: boolean;
  /** After the field: an explanation, a checklist. */
  readonly children?: ReactNode;
  /** Ids of other elements that describe the field. */
  readonly describedBy?: string | undefined;
}

interface FieldErrorProps {
  readonly id: string;
  readonly text: string;
  readonly isAlert?: boolean | undefined;
}

/** A text, password or code field: label, hint, input, error, in this order. Its form says whether it is invalid. */
export function TextField({
  label,
  hint,
  error,
  code = false,
  hintUnder = code,
  help,
  besideLabel,
  secret = false,
  children,
  describedBy,
  ...input
}: TextFieldProps) {
  const locked = (input.readOnly ?? false) || (input.disabled ?? false);
  const hintId = `${input.id}-hint`;
  const steady = [hint && hintId, describedBy].filter(Boolean).join(" ");
  const described = [input["aria-describedby"], steady].filter(Boolean).join(" ");
  const hintLine = hint !== undefined && (
    <p id={hintId} className="mt-1 text-sm text-muted">
      {hint}
    </p>
  );
  return (
    <div data-field data-invalid={input["aria-invalid"]} className="field">
      <div className={besideLabel === undefined ? undefined : "flex items-center"}>
        <label htmlFor={input.id} className="min-w-0 font-semibold">
          {label}
        </label>{" "}
        {besideLabel}
      </div>
      {help}
      {!hintUnder && hintLine}
      <div className={`relative mt-1.5 ${code ? "code-box" : ""}`}>
        <input
          {...input}
          className={inputLook({ locked, code, secret })}
          aria-describedby={described || undefined}
          data-described={steady || undefined}
          data-secret={secret ? label : undefined}
        />
        {locked && <Lock className="pointer-events-none absolute right-3.5 top-3.5 h-6 w-6 text-muted" />}
      </div>
      {hintUnder && hintLine}
      <div aria-live="polite">{error && <FieldError {...error} />}</div>
      {children}
    </div>
  );
}

/** The message under a field. Scripts make more of them. */
export function FieldError({ id, text, isAlert = false }: FieldErrorProps) {
  return (
    <p id={id} role={isAlert ? "alert" : undefined} className="mt-1.5 flex text-sm text-danger">
      <CrossCircle className="mr-1.5 h-5 w-5 flex-none" />
      <span>
        <span className="sr-only">{useTexts()("common:a11y.error")}: </span>
        <span data-text>{text}</span>
      </span>
    </p>
  );
}

function inputLook({
  locked,
  code,
  secret,
}: Readonly<Record<"locked" | "code" | "secret", boolean>>): string {
  const border = locked ? "border border-line bg-sunken" : "border border-field hover:border-primary bg-card";
  if (code) return `code-input block min-h-button-lg rounded-control text-2xl text-ink ${border}`;
  const room = secret ? "pr-20" : locked ? "pr-12" : "pr-3.5";
  return `block min-h-button-lg w-full rounded-control py-2 pl-3.5 text-base text-ink ${room} ${border}`;
}

/** A field's explanation: opens from a mark at the end of its label's line, and pushes the field down (C-20). */
export function FieldHelp({ summary, children }: { readonly summary: string; readonly children: ReactNode }) {
  return (
    // The block is for text browsers, which treat details and summary as inline text.
    <div>
      <details>
        <summary className="absolute -right-2.5 -top-2.5 tight:right-0 flex h-11 w-11 cursor-pointer list-none items-center justify-center rounded-control text-link hover:bg-tint">
          <QuestionCircle className="h-6 w-6" />
          <span className="sr-only">{summary}</span>
        </summary>
        <div className="mt-2 rounded-control bg-tint p-4 text-sm">{children}</div>
      </details>
    </div>
  );
}

/** A checkbox that looks like a switch, with its state also as text (C-21). The whole row is clickable. */
interface SwitchFieldProps extends Omit<ComponentProps<"input">, "className" | "type" | "id"> {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  /** The state as text. */
  readonly states: { readonly on: string; readonly off: string };
}

/** A switch with its label, hint and state. */
export function SwitchField({ label, hint, states, ...input }: SwitchFieldProps) {
  const hintId = `${input.id}-hint`;
  return (
    <div>
      <label
        htmlFor={input.id}
        className="flex min-h-button-md cursor-pointer flex-wrap items-center justify-between py-1"
      >
        <span className="mr-4 py-1 font-semibold">{label}</span>
        <span className="flex items-center">
          <input
            {...input}
            type="checkbox"
            role="switch"
            aria-describedby={hint ? hintId : undefined}
            className="switch"
          />
          {/* The stylesheet adds the text: a text browser shows the checkbox's own state. */}
          <span
            className="switch-state ml-2 text-sm"
            data-on={states.on}
            data-off={states.off}
            aria-hidden="true"
          />
        </span>
      </label>
      {hint && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
