import type { ReactNode } from "react";
import { ButtonSummary } from "./button";

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

interface FoldedProps extends DisclosureProps {
  readonly open?: boolean;
  /** Open where there is room, and on paper, if the browser can. */
  readonly onPhone?: boolean;
}

/** A part of the page that is folded away at first, unless it is `open`. */
export function Folded({ summary, open = false, onPhone = false, children }: FoldedProps) {
  return (
    // The block is for text browsers, which treat details and summary as inline text.
    <div>
      <details className={`disclosure ${onPhone ? "folded-on-phone printed-open" : ""}`} open={open}>
        <summary className="flex min-h-button-md cursor-pointer list-none items-center py-2 font-semibold text-link hover:underline">
          {summary}
        </summary>
        {children}
      </details>
    </div>
  );
}

/** A button that opens a part of the page. Paper shows the part without the button. */
export function OpenedByButton({ summary, children }: DisclosureProps) {
  return (
    <div className="mt-4">
      <details className="disclosure printed-open">
        <ButtonSummary>{summary}</ButtonSummary>
        {children}
      </details>
    </div>
  );
}

/** A card that stacks the parts of a page; each of them can be opened. */
export function FoldedParts({ children }: { readonly children: ReactNode }) {
  return <div className="mt-6 divide-y divide-line rounded-card border border-line bg-card">{children}</div>;
}

/** A part of the page with its heading and a line that sums it up. Links to `#id` open it. */
export function FoldedPart({
  id,
  header,
  sum,
  open,
  children,
}: {
  readonly id: string;
  readonly header: string;
  /** "2 urządzenia": the content in a few words. */
  readonly sum?: string | undefined;
  readonly open: boolean;
  readonly children: ReactNode;
}) {
  return (
    <section className="px-5 sm:px-6 tight:px-2">
      <details className="part" open={open}>
        <summary className="relative -mx-2 block cursor-pointer list-none rounded-control py-4 pl-2 pr-10 hover:underline sm:flex sm:items-baseline">
          <h2 className="text-lg sm:flex-1 sm:pr-4">{header}</h2>
          {sum !== undefined && <span className="block text-sm text-muted">{sum}</span>}
        </summary>
        {/* A link to this id makes the browser open the part; the margin leaves the heading above in sight. */}
        <div id={id} className="scroll-mt-24 pb-5">
          {children}
        </div>
      </details>
    </section>
  );
}
