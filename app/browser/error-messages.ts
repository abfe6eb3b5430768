// Without it: the server writes every message into the page.
import { partsFor, setAttribute, words } from "./page";

/** Long enough for a screen reader to notice that the alert was gone (C-10), in ms. */
const REANNOUNCE_MS = 100;
interface AlertTexts {
  readonly title: string;
  readonly text: string;
  readonly items: readonly { readonly href: string; readonly text: string }[];
}

/** Makes a summary of errors, like the server's: of a single one its sentence, which is the link. */
export function makeAlert({ title, text, items }: AlertTexts): HTMLElement | undefined {
  const [only, ...more] = items;
  if (only && more.length === 0) {
    const single = partsFor("only-alert")[0]?.copy().firstElementChild;
    const link = single?.querySelector("a");
    if (!(single instanceof HTMLElement) || !link) return undefined;
    Object.assign(link, { href: only.href, textContent: only.text });
    return single;
  }
  const made = partsFor("alert")[0]?.copy().firstElementChild;
  const [heading, paragraph, list] = ["h2", "p", "ul"].map((selector) => made?.querySelector(selector));
  const item = list?.firstElementChild;
  if (!(made instanceof HTMLElement) || !heading || !paragraph || !list || !item) return undefined;
  heading.textContent = title;
  paragraph.textContent = text;
  list.replaceChildren(
    ...items.map(({ href, text: said }) => {
      const copy = item.cloneNode(true);
      const link = copy instanceof Element ? copy.querySelector("a") : null;
      if (link) Object.assign(link, { href, textContent: said });
      return copy;
    }),
  );
  return made;
}

/** Puts an alert above a form, or takes it away. */
export function showAlert(form: HTMLFormElement, alert: HTMLElement | undefined): void {
  alertPlace(form)?.replaceChildren(...(alert ? [alert] : []));
}

/** Announces a message again. Screen readers skip identical text unless it was gone for a moment. */
export function announceAgain(said: HTMLElement | undefined): void {
  if (said?.getAttribute("role") !== "alert") {
    said?.focus();
    return;
  }
  said.hidden = true;
  setTimeout(() => {
    said.hidden = false;
    said.focus();
  }, REANNOUNCE_MS);
}

/** Shows a field's error, or none. `byAlert`: the alert above the form has its text. */
export function showError(input: HTMLInputElement, text: string | undefined, byAlert?: unknown): void {
  const field = input.closest<HTMLElement>("[data-field]");
  const place = field?.querySelector("[aria-live]");
  if (!field || !place) return;
  const isInvalid = text !== undefined || Boolean(byAlert);
  const id = `${input.id}-error`;
  setAttribute(field, "data-invalid", isInvalid ? "true" : undefined);
  setAttribute(input, "aria-invalid", isInvalid ? "true" : undefined);
  const described = [text && id, byAlert && "errors", input.dataset["described"]].filter(Boolean).join(" ");
  setAttribute(input, "aria-describedby", described);
  if (errorTextOf(input) === text) return;
  place.replaceChildren();
  const made = text === undefined ? undefined : partsFor("field-error")[0]?.copy().firstElementChild;
  const said = made?.querySelector("[data-text]");
  if (!made || !said || text === undefined) return;
  made.id = id;
  said.textContent = text;
  place.append(made);
}

/** The text of a field's error. */
export function errorTextOf(input: HTMLInputElement): string | undefined {
  return document.getElementById(`${input.id}-error`)?.querySelector("[data-text]")?.textContent ?? undefined;
}

/** Adds "Błąd: " before the title, or removes it. */
export function markTitle(isFailed: boolean): void {
  const { errorPrefix } = words();
  const title = document.title.startsWith(errorPrefix)
    ? document.title.slice(errorPrefix.length)
    : document.title;
  document.title = isFailed ? errorPrefix + title : title;
}

/** The element that holds a form's alert. */
export function alertPlace(form: HTMLFormElement): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-alert-of="${form.getAttribute("id") ?? ""}"]`);
}
