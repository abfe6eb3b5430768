import { Children, type ReactNode } from "react";

/** Buttons beside each other where there is room. Each in a block of its own: without styles they would read as one word. */
export function ButtonRow({ children }: { readonly children: ReactNode }) {
  return (
    <div className="-mb-3 sm:-mr-3 sm:flex sm:flex-wrap">
      {Children.map(children, (button) => button && <div className="mb-3 sm:mr-3">{button}</div>)}
    </div>
  );
}
