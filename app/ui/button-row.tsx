import { Children, type ReactNode } from "react";

/** Buttons side by side where there is room. Each has its own block: without styles they would read as one word. */
export function ButtonRow({ children }: { readonly children: ReactNode }) {
  return (
    <div className="-mb-3 sm:-mr-3 sm:flex sm:flex-wrap">
      {Children.map(children, (button) => button && <div className="mb-3 sm:mr-3">{button}</div>)}
    </div>
  );
}
