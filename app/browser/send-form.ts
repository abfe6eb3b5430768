// Without it: the browser sends forms and shows each answer as a new page; values typed into secret fields are lost.
import { forgetLostConnection, isLeftToBrowser, showLostConnection } from "./lost-connection";
import { on, setOff } from "./page";
import { ask, beginNavigation, navigate, type Answer } from "./requests";
import { readPage, showBody, showMain } from "./show-page";

/** A form that is being sent. */
interface Sending {
  readonly form: HTMLFormElement;
  readonly address: string;
  readonly fields: URLSearchParams;
  readonly stop: AbortController;
  /** Restores the text of the pressed button. */
  readonly release: () => void;
}

let sending: Sending | undefined;
let sentLast: URLSearchParams | undefined;

/** Whether a form is being sent: "submits are ignored while pending" (specification §4). */
export function isSending(): boolean {
  return sending !== undefined;
}

/** The fields of the last form that was sent. In memory only. */
export function lastSent(): URLSearchParams | undefined {
  return sentLast;
}

/** Ignores submits while one is under way, until its page has left. Esc cancels it. */
export function startSubmitGuard(): void {
  on(
    "submit",
    (event) => {
      if (!sending) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  on("keydown", ({ key }) => {
    if (key !== "Escape" || !sending) return;
    sending.stop.abort();
    finish();
  });
}

/** Sends forms to the portal, and shows its answers in place. Starts after all enhancements that may hold a submit back. */
export function startForms(): void {
  on("submit", (event, form) => {
    if (event.defaultPrevented || !(form instanceof HTMLFormElement)) return;
    const { submitter } = event;
    const button = submitter instanceof HTMLButtonElement ? submitter : undefined;
    const address = button?.hasAttribute("formaction") ? button.formAction : form.action;
    // Not `form.method`: a field of this name would hide it.
    if (form.getAttribute("method") !== "post" || new URL(address).origin !== location.origin) return;
    const fields = fieldsOf(form, button);
    sending = { form, address, fields, stop: new AbortController(), release: holdButton(form, button) };
    sentLast = fields;
    if (isLeftToBrowser()) {
      beginNavigation(finish);
      return;
    }
    // If anything failed up to here, the browser would send the form. From now on it never does so by itself.
    event.preventDefault();
    void send(sending);
  });
}

function fieldsOf(form: HTMLFormElement, button: HTMLButtonElement | undefined): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
  if (button?.name) fields.append(button.name, button.value);
  return fields;
}

async function send(current: Sending): Promise<void> {
  const { address, fields, stop } = current;
  forgetLostConnection();
  try {
    const isLeaving = await show(
      await ask(address, { method: "POST", body: fields, signal: stop.signal }),
      current,
    );
    // A page that is being left accepts no further submit.
    if (isLeaving) return;
  } catch {
    if (!stop.signal.aborted) showLostConnection();
  }
  if (sending === current) finish();
}

function finish(): void {
  sending?.release();
  sending = undefined;
}

/** @returns whether the browser leaves the page */
async function show({ location: next, text }: Answer, { address, stop }: Sending): Promise<boolean> {
  if (next === undefined) {
    showRefusal(readPage(text), address);
    return false;
  }
  // A resend leads back to the screen's own address. It is shown in place, so that typed passwords stay.
  if (new URL(next, location.href).pathname === location.pathname) {
    const page = await ask(next, { signal: stop.signal });
    if (page.location === undefined) {
      showMain(readPage(page.text), "[data-code]");
      return false;
    }
  }
  navigate(next, { ended: finish });
  return true;
}

/** Shows the same form again, or else a whole page, from which Back leads to the form. */
function showRefusal(page: Document, address: string): void {
  const path = new URL(address).pathname;
  const hasForm = [...page.querySelectorAll("main form")].some(
    (form) => new URL(form.getAttribute("action") ?? "", location.href).pathname === path,
  );
  if (!hasForm) showBody(page, { typed: "none", asNewEntry: true });
  else if (page.documentElement.lang === document.documentElement.lang) showMain(page);
  else showBody(page, { typed: "all" });
}

/** The pressed button, or the main one, says what is happening, and is off until it is released (C-18). */
function holdButton(form: HTMLFormElement, pressed: HTMLButtonElement | undefined): () => void {
  const button = pressed?.name
    ? pressed
    : form.querySelector<HTMLElement>("[data-busy]:not([data-throttle])");
  const text = button?.textContent ?? "";
  const { busy } = button?.dataset ?? {};
  if (!button || busy === undefined) return () => undefined;
  button.textContent = busy;
  setOff(button, true);
  return () => {
    button.textContent = text;
    setOff(button, false);
  };
}
