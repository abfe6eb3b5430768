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
      <details className="disclosure">
        <summary className="flex min-h-button-md cursor-pointer list-none items-center py-2 font-semibold text-link hover:underline">
          {summary}
        </summary>
        <div className="mb-2 rounded-control bg-tint p-4 text-sm">{children}</div>
      </details>
    </div>
  );
}
