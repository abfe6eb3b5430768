import type { ReactNode } from "react";

/** Width and padding of a screen in the customer area. */
export function CustomerPage({ children }: { readonly children: ReactNode }) {
  return <div className="page-grid py-6 md:py-10">{children}</div>;
}
