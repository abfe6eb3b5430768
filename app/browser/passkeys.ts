// Without it: the button sends no answer of a passkey, and the server says which browser is needed.
import { holdBack } from "./field-errors";
import { all, on, onArrival } from "./page";
import type * as Device from "./passkey-device";
import { ask as request, navigate } from "./requests";
import { readPage } from "./show-page";

/** The module that asks the browser; undefined if it could not be loaded. */
let loading: Promise<typeof Device | undefined> | undefined;
/** The running request to a device, and when it began (ms by the page's clock). */
let asking: { readonly form: Element; readonly since: number; readonly stop: AbortController } | undefined;

/** A form that a passkey answers. */
export interface AskedForm {
  readonly form: HTMLFormElement;
  /** The field for the answer. */
  readonly answer: HTMLInputElement;
  /** The button, whose text says while the device is asked. */
  readonly button: HTMLElement;
  /** Puts a valid challenge into the form. Resolves to false if no device has to be asked. */
  readonly prepare: (signal: AbortSignal) => Promise<boolean>;
  readonly send: () => void;
}

/** When the page with the challenge arrived (ms by the page's clock). */
let seenAt = 0;

/** A second press within this time is a double click, in ms. */
const DOUBLE_MS = 1000;
/** A page comes with a challenge that is valid for at least a minute. After this time (ms) it gets a new one. */
const FRESH_MS = 50_000;

/**
 * The button of a form for a passkey asks the browser for it, and sends its answer. The module for that is loaded with
 * the first such form, before the button is pressed: Safari asks only right after a press. Esc, another press, the
 * timeout and leaving the page abort the request.
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
      // A device is asked only once the other fields are valid.
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

/** Asks the device, and sends its answer. Another press while the device is asked aborts that. */
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
  // The button stays on: another press aborts.
  button.textContent = button.dataset["waiting"] ?? "";
  const found = await loaded;
  const isPrepared = await Promise.race([prepare(stop.signal), aborted(stop.signal)]);
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

function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      resolve(false);
    });
  });
}

/** Gets a new challenge for an old page. If the form has expired, the server's page says so, and no device is asked. */
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
