import { Children, type ReactNode } from "react";

/**
 * Buttons side by side where there is room, otherwise one above the other and equally wide. Each has its own block:
 * without styles they would read as one word.
 */
export function ButtonRow({ children }: { readonly children: ReactNode }) {
  return (
    <div className="-mb-3 flex-wrap sm:-mr-3 sm:inline-flex">
      {Children.map(
        children,
        (button) => button && <div className="mb-3 grid sm:mr-3 sm:grow">{button}</div>,
      )}
    </div>
  );
}
