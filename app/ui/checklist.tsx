import { useTexts } from "~/i18n/use-texts";
import { CheckCircle, CrossCircle, Ring, Triangle } from "./icons";

/** A condition and its state: `open` until something is typed, `missing` after a refusal. */
export interface ChecklistItem {
  readonly text: string;
  readonly state: "open" | "met" | "unmet" | "missing";
}

/** The conditions of a new password (C-12). `hint`: advice even though all of them are met. */
export function Checklist({
  id,
  items,
  hint,
  open,
}: {
  readonly id: string;
  readonly items: readonly ChecklistItem[];
  readonly hint?: string | undefined;
  /** Unfolded on a phone, too: after a refusal. */
  readonly open?: boolean;
}) {
  const t = useTexts();
  return (
    <div id={id} className="mt-3 rounded-control bg-tint px-4 py-1 text-sm sm:py-4">
      {/* On a phone: a bar that fills up and opens the list after it. Wider screens show only the list. */}
      <details className="part sm:hidden" open={open}>
        <summary className="relative flex min-h-button-md cursor-pointer list-none items-center pr-10 font-semibold text-link">
          {t("password:checklist.short")}
          <span aria-hidden="true" className="ml-3 flex flex-1">
            {items.map(({ text, state }) => (
              <span key={text} className="condition measure" data-state={state} />
            ))}
          </span>
        </summary>
      </details>
      <div className="conditions pb-3 sm:pb-0">
        <p className="font-semibold">{t("password:checklist.title")}</p>
        <ul className="mt-2 space-y-1">
          {items.map(({ text, state }) => (
            <li key={text} className="condition flex" data-state={state}>
              <Ring className="icon-open mr-2 h-5 w-5 flex-none text-field" />
              <CheckCircle className="icon-met mr-2 h-5 w-5 flex-none text-success" />
              <CrossCircle className="icon-missing mr-2 h-5 w-5 flex-none text-danger" />
              <span className="min-w-0">
                {text}
                <span className="sr-only" data-said>
                  {state !== "open" &&
                    ` – ${t(state === "met" ? "password:checklist.met" : "password:checklist.unmet")}`}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </div>
      <p
        data-hint
        hidden={hint === undefined}
        className="mb-3 flex border-t border-line pt-3 sm:mb-0 sm:mt-3"
      >
        <Triangle className="mr-2 h-5 w-5 flex-none text-accent-text" />
        <span data-text>{hint}</span>
      </p>
    </div>
  );
}
