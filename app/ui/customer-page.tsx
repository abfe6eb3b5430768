import type { ReactNode } from "react";

/** Width and padding of a screen in the customer area. */
export function CustomerPage({ children }: { readonly children: ReactNode }) {
  return <div className="mx-auto w-full max-w-page px-4 py-6 sm:px-6 sm:py-8 lg:px-8">{children}</div>;
}
