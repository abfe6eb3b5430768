import type { ReactNode } from "react";

/** The page's only `h1` and the sentence under it. Takes the focus after a navigation (C-03). */
export function PageHeading({
  header,
  children,
}: {
  readonly header: string;
  readonly children?: ReactNode;
}) {
  return (
    <>
      <h1 tabIndex={-1} className="text-3xl sm:text-4xl">
        {header}
      </h1>
      {children && <p className="mt-2 text-lg text-muted">{children}</p>}
    </>
  );
}
