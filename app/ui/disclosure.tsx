import type { ReactNode } from "react";

/** An explanation that people can open (C-20). Browsers without `<details>` show it open. */
export function Disclosure({
  summary,
  children,
}: {
  readonly summary: string;
  readonly children: ReactNode;
}) {
  return (
    // The block is for text browsers, which treat details and summary as inline text.
    <div>
      <details className="rounded-control">
        <summary className="flex min-h-button-md cursor-pointer items-center py-2 text-teal-700 underline">
          {summary}
        </summary>
        <div className="rounded-control bg-neutral-50 p-4 text-sm">{children}</div>
      </details>
    </div>
  );
}
