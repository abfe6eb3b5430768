import type { ReactNode } from "react";
import { PhoneLinks } from "./phone";

/**
 * A dialog that works without scripts: open in the page, or opened by a link. Once a script has made it modal, its
 * heading or its safe button has the focus.
 */
interface DialogProps {
  readonly id: string;
  /** For a dialog that interrupts. */
  readonly role?: "alertdialog";
  /** Decorative. */
  readonly picture?: ReactNode;
  readonly header: string;
  readonly message?: string;
  /** Content that doesn't fit into one sentence. */
  readonly body?: ReactNode;
  /** Open from the start; otherwise a link to the id opens it. */
  readonly open?: boolean;
  readonly children: ReactNode;
}

/** A dialog; see `DialogProps`. */
export function Dialog({ id, role, picture, header, message, body, open, children }: DialogProps) {
  const dialog = (
    <dialog
      role={role}
      open={open}
      aria-labelledby={`${id}-header`}
      aria-describedby={`${id}-message`}
      className="mx-auto mt-4 w-full max-w-card rounded-card border border-line bg-card p-6 text-ink raised sm:p-8 tight:p-2"
    >
      {picture && <div className="mb-4">{picture}</div>}
      <h2 id={`${id}-header`} tabIndex={-1} className="text-2xl">
        {header}
      </h2>
      <div id={`${id}-message`} className="mt-2">
        {message !== undefined && (
          <p>
            <PhoneLinks text={message} />
          </p>
        )}
        {body}
      </div>
      <div className="mt-6 flex-wrap sm:flex sm:flex-row-reverse">{children}</div>
    </dialog>
  );
  // Text browsers can't follow a link to an element they don't know, so the id is on a plain one around it.
  return open ? dialog : <div id={id}>{dialog}</div>;
}
