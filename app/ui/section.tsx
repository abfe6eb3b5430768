import type { ReactNode } from "react";

/** Part of a customer-area screen, with its own heading. */
export function Section({
  id,
  header,
  children,
}: {
  /** For links to it. */
  readonly id?: string;
  readonly header: string;
  readonly children: ReactNode;
}) {
  return (
    <section id={id} className="mt-6 rounded-card border border-line bg-card p-5 sm:p-6 tight:p-2">
      <h2 className="text-xl">{header}</h2>
      <div className="mt-3">{children}</div>
    </section>
  );
}
