import type { ReactNode } from "react";

/** Part of a customer-area screen, with its own heading. */
export function Section({ header, children }: { readonly header: string; readonly children: ReactNode }) {
  return (
    <section className="mt-6 rounded-card border border-neutral-200 bg-white p-5 sm:p-6">
      <h2 className="text-xl font-semibold">{header}</h2>
      <div className="mt-3">{children}</div>
    </section>
  );
}
