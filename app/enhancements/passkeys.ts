// Without it: the button sends no answer of a passkey, and the server says which browser is needed.
import { holdBack } from "./field-errors";
import { all, on, onArrival, setOff } from "./page";
import type { answerOf as AnswerOf } from "./passkey-device";

/** The module that asks the browser; undefined if it could not be loaded. */
let loading: Promise<typeof AnswerOf | undefined> | undefined;
let isAsking = false;

/**
 * The button of a form for a passkey asks the browser for it, and sends its answer. The module for that is loaded with
 * the first such form, before the button is pressed: Safari asks only right after a press.
 */
export function startPasskeys(): void {
  onArrival((root) => {
    if (all("form[data-passkey]", root).length > 0) loading ??= load();
  });
  on(
    "submit",
    (event, form) => {
      const { submitter } = event;
      const answer = form.querySelector<HTMLInputElement>("[data-passkey] input[name=response]");
      if (!answer || answer.value !== "" || !loading || !isMain(submitter)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      // A device is asked only once the other fields keep their rules.
      if (form instanceof HTMLFormElement && form.dataset["texts"] && holdBack(form)) return;
      if (!isAsking) void ask(loading, form, answer, submitter);
    },
    true,
  );
}

async function load(): Promise<typeof AnswerOf | undefined> {
  try {
    return (await import("./passkey-device")).answerOf;
  } catch {
    return undefined;
  }
}

function isMain(button: HTMLElement | null): button is HTMLButtonElement {
  return button instanceof HTMLButtonElement && button.dataset["waiting"] !== undefined;
}

async function ask(
  loaded: Promise<typeof AnswerOf | undefined>,
  form: Element,
  answer: HTMLInputElement,
  button: HTMLButtonElement,
): Promise<void> {
  isAsking = true;
  const text = button.textContent;
  button.textContent = button.dataset["waiting"] ?? "";
  setOff(button, true);
  const { passkey, options } = (form as HTMLElement).dataset;
  const answerOf = await loaded;
  const value = (await answerOf?.(passkey === "create" ? "create" : "get", options ?? "")) ?? "failed";
  button.textContent = text;
  setOff(button, false);
  isAsking = false;
  // The page may show something else by now.
  if (!answer.isConnected) return;
  // Not in the microtask of a submit that is still going on: browsers ignore a submit within another.
  setTimeout(() => {
    answer.value = value;
    button.click();
    // If the connection is lost, the next press must get a new answer.
    answer.value = "";
  });
}
