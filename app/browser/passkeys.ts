// Without it: the button sends no answer of a passkey, and the server says which browser is needed.
import { holdBack } from "./field-errors";
import { all, on, onArrival } from "./page";
import type * as Device from "./passkey-device";
import { ask as request, navigate } from "./requests";
import { readPage } from "./show-page";

/** The module that asks the browser; undefined if it could not be loaded. */
let loading: Promise<typeof Device | undefined> | undefined;
/** The device that is being asked, from when (ms by the page's clock). */
let asking: { readonly form: Element; readonly since: number; readonly stop: AbortController } | undefined;

/** A form that a passkey answers. */
export interface AskedForm {
  readonly form: HTMLFormElement;
  /** The field for the answer. */
  readonly answer: HTMLInputElement;
  /** The button that says that a device is asked. */
  readonly button: HTMLElement;
  /** Puts a question that still stands into the form. Resolves to false if no device has to be asked. */
  readonly prepare: (signal: AbortSignal) => Promise<boolean>;
  readonly send: () => void;
}

/** When the page with the question came (ms by the page's clock). */
let seenAt = 0;

/** A press so soon after the first one belongs to a double click, in ms. */
const DOUBLE_MS = 1000;
/** A page comes with a question that has a minute left. Later it gets another one first, in ms. */
const FRESH_MS = 50_000;

/**
 * The button of a form for a passkey asks the browser for it, and sends its answer. The module for that is loaded with
 * the first such form, before the button is pressed: Safari asks only right after a press. A device that doesn't answer
 * is given up by Esc, by another press, with its time, and with its page.
 */
export function startPasskeys(): void {
  onArrival((root) => {
    if (asking?.form.isConnected === false) asking.stop.abort();
    for (const { dataset } of "PublicKeyCredential" in window ? all("[data-known-passkeys]", root) : [])
      void device().then((loaded) => loaded?.tellDevice(dataset["knownPasskeys"] ?? "{}"));
    if (all("form[data-passkey]", root).length === 0) return;
    void device();
    seenAt = performance.now();
  });
  on("keydown", ({ key }) => {
    if (key === "Escape") asking?.stop.abort();
  });
  on(
    "submit",
    (event, form) => {
      const answer = form.querySelector<HTMLInputElement>("[data-passkey] input[name=response]");
      // Without a button, it is the main one.
      const button = event.submitter ?? form.querySelector<HTMLElement>("[data-waiting]");
      if (!answer || answer.value !== "" || !loading || !isMain(button)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      // A device is asked only once the other fields keep their rules.
      if (!(form instanceof HTMLFormElement) || (!asking && form.dataset["texts"] && holdBack(form))) return;
      askDevice({
        form,
        answer,
        button,
        prepare: () => isFresh(form),
        send: () => {
          button.click();
        },
      });
    },
    true,
  );
}

/** Whether a device is being asked, or is about to be. */
export function isAsking(): boolean {
  return asking !== undefined;
}

/** Asks the device, and sends its answer. Pressed again while it is asked, it is given up. */
export function askDevice(asked: AskedForm): void {
  if (!asking) void ask(device(), asked);
  else if (performance.now() - asking.since > DOUBLE_MS) asking.stop.abort();
}

/** The module that asks the browser, loaded when it is first needed. */
export function device(): Promise<typeof Device | undefined> {
  return (loading ??= import("./passkey-device").catch(() => undefined));
}

function isMain(button: HTMLElement | null): button is HTMLButtonElement {
  return button instanceof HTMLButtonElement && button.dataset["waiting"] !== undefined;
}

async function ask(
  loaded: Promise<typeof Device | undefined>,
  { form, answer, button, prepare, send }: AskedForm,
): Promise<void> {
  const stop = new AbortController();
  asking = { form, since: performance.now(), stop };
  const text = button.textContent;
  // Not off: another press gives up.
  button.textContent = button.dataset["waiting"] ?? "";
  const found = await loaded;
  const isPrepared = await Promise.race([prepare(stop.signal), givenUp(stop.signal)]);
  const value = isPrepared && (found ? await found.answerOf(form.dataset, stop) : "failed");
  button.textContent = text;
  asking = undefined;
  if (!value) return;
  // The page may show something else by now.
  if (!answer.isConnected) return;
  // Not in the microtask of a submit that is still going on: browsers ignore a submit within another.
  setTimeout(() => {
    answer.value = value;
    send();
    // If the connection is lost, the next press must get a new answer.
    answer.value = "";
  });
}

function givenUp(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      resolve(false);
    });
  });
}

/** Gets a new question for an old page. If the form is over, the server's page shows why, and no device is asked. */
async function isFresh(form: HTMLFormElement): Promise<boolean> {
  if (performance.now() - seenAt < FRESH_MS) return true;
  try {
    const { text } = await request(form.action);
    const options = readPage(text).querySelector<HTMLElement>("form[data-passkey]")?.dataset["options"];
    if (options === undefined) navigate(form.action);
    else Object.assign(form.dataset, { options });
    seenAt = performance.now();
    return options !== undefined;
  } catch {
    // No connection: sending the answer says so.
    return true;
  }
}
