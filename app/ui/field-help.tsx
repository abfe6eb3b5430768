import type { ReactNode } from "react";
import { QuestionCircle } from "./icons";

/** What a field is for: opens from a mark at the end of its label's line, and pushes the field down (C-20). */
export function FieldHelp({ summary, children }: { readonly summary: string; readonly children: ReactNode }) {
  return (
    // The block is for text browsers, which treat details and summary as inline text.
    <div>
      <details>
        <summary className="absolute -right-2.5 -top-2.5 tight:right-0 flex h-11 w-11 cursor-pointer list-none items-center justify-center rounded-control text-link hover:bg-tint">
          <QuestionCircle className="h-6 w-6" />
          <span className="sr-only">{summary}</span>
        </summary>
        <div className="mt-2 rounded-control bg-tint p-4 text-sm">{children}</div>
      </details>
    </div>
  );
}
