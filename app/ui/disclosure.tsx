import type { ReactNode } from "react";

interface DisclosureProps {
  readonly summary: string;
  readonly children: ReactNode;
}

/** An explanation that people can open (C-20). Browsers without `<details>` show it open. */
export function Disclosure({ summary, children }: DisclosureProps) {
  return (
    <Folded summary={summary}>
      <div className="mb-2 rounded-control bg-tint p-4 text-sm">{children}</div>
    </Folded>
  );
}

/** A part of the page that is folded away at first, unless it is `open`. */
export function Folded({ summary, open = false, children }: DisclosureProps & { readonly open?: boolean }) {
  return (
    // The block is for text browsers, which treat details and summary as inline text.
    <div>
      <details className="disclosure" open={open}>
        <summary className="flex min-h-button-md cursor-pointer list-none items-center py-2 font-semibold text-link hover:underline">
          {summary}
        </summary>
        {children}
      </details>
    </div>
  );
}
