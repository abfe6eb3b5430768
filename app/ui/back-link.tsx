import type { ReactNode } from "react";
import { TextLink } from "./text-link";

/** Above a page: the way back to the screen that it belongs to, and what can be done with it. Paper needs neither. */
export function BackLink({
  to,
  text,
  children,
}: {
  readonly to: string;
  readonly text: string;
  readonly children?: ReactNode;
}) {
  return (
    <div data-screen-only className="-mt-3 mb-2 flex justify-between">
      <TextLink to={to}>
        <svg
          viewBox="0 0 12 12"
          width="12"
          height="12"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
          aria-hidden="true"
          className="mr-1 inline"
        >
          <path d="M8 1 3 6l5 5" />
        </svg>
        {text}
      </TextLink>
      {children}
    </div>
  );
}
