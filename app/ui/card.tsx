import type { ReactNode } from "react";

const WIDTHS = { narrow: "sm:max-w-card", consent: "sm:max-w-consent", wide: "sm:max-w-wide" } as const;

/** A white card on the page; full width on a phone. */
export function Card({
  width = "narrow",
  children,
}: {
  readonly width?: keyof typeof WIDTHS;
  readonly children: ReactNode;
}) {
  return (
    <div
      className={`relative mx-auto w-full overflow-hidden border-neutral-200 bg-white px-4 py-6 sm:my-8 sm:rounded-card sm:border sm:p-8 ${WIDTHS[width]}`}
    >
      <CornerArch />
      <div className="relative">{children}</div>
    </div>
  );
}

function CornerArch() {
  return (
    <svg
      viewBox="0 0 160 90"
      aria-hidden="true"
      focusable="false"
      className="pointer-events-none absolute -right-8 top-0 hidden h-24 w-40 md:block"
    >
      <path className="fill-teal-50" d="M0 0a80 80 0 0 0 160 0h-36a44 44 0 0 1-88 0z" />
    </svg>
  );
}
