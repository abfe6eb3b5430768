import { CrossCircle } from "./icons";

/** The errors of a form: first in `main`, and focused after a failed submit (C-07). */
interface ErrorSummaryProps {
  readonly id: string;
  readonly title: string;
  /** "Błąd", where the title alone doesn't say that it is an error: text browsers show no icon. */
  readonly word?: string | undefined;
  readonly text?: string | undefined;
  readonly items: readonly { readonly href: string; readonly text: string }[];
}

/** The summary above a refused form; read out at once. A single error is no list: its sentence is the link. */
export function ErrorSummary({ id, title, word, text, items }: ErrorSummaryProps) {
  const only = items.length === 1 ? items[0] : undefined;
  return (
    <div
      id={id}
      role="alert"
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      className="flex rounded-control border-2 border-danger bg-danger-tint p-4 sm:p-5 tight:block tight:p-2"
    >
      <CrossCircle className="mr-3 mt-0.5 h-6 w-6 flex-none text-danger" />
      <div className="min-w-0">
        <h2 id={`${id}-title`} className="text-lg">
          {word !== undefined && <span className="sr-only">{word}: </span>}
          {only ? (
            <a href={only.href} className="-my-2.5 block py-2.5 text-danger underline">
              {title}
            </a>
          ) : (
            title
          )}
        </h2>
        {text !== undefined && <p className="mt-1">{text}</p>}
        {items.length > 1 && (
          // The negative margin makes up for the padding of the links.
          <ul className="many-errors -mb-2.5 mt-1">
            {items.map((item) => (
              <li key={item.href} className="text-danger">
                <a href={item.href} className="block py-2.5 underline">
                  {item.text}
                </a>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
