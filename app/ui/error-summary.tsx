import { forwardRef } from "react";
import { CrossCircle } from "./icons";

/** What is wrong with a form: first in `main`, and focused after a failed submit (C-07). */
interface ErrorSummaryProps {
  readonly id: string;
  readonly title: string;
  readonly text?: string | undefined;
  readonly items: readonly { readonly href: string; readonly text: string }[];
}

/** The summary above a refused form; read out at once. */
export const ErrorSummary = forwardRef<HTMLDivElement, ErrorSummaryProps>(function ErrorSummary(
  { id, title, text, items },
  ref,
) {
  return (
    <div
      ref={ref}
      id={id}
      role="alert"
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      className="rounded-control border-2 border-red-600 bg-red-50 p-4 sm:p-5"
    >
      <div className="flex">
        <CrossCircle className="mr-3 mt-0.5 h-6 w-6 flex-none text-red-600" />
        <div>
          <h2 id={`${id}-title`} className="text-lg font-semibold">
            {title}
          </h2>
          {text !== undefined && <p className="mt-1">{text}</p>}
        </div>
      </div>
      {items.length > 0 && (
        <ul className="mt-3 list-disc pl-14">
          {items.map((item) => (
            <li key={item.href}>
              <a href={item.href} className="inline-block py-2.5 text-red-700 underline">
                {item.text}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
});
