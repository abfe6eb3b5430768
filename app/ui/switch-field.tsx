import type { ComponentProps } from "react";

/** A checkbox that looks like a switch, its state also in words (C-21). The whole row is clickable. */
interface SwitchFieldProps extends Omit<ComponentProps<"input">, "className" | "type" | "id"> {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  /** The state in words. */
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
