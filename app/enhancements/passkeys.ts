// Without it: the button sends no answer of a passkey, and the server says which browser is needed.
import { all, on, onArrival, setOff } from "./page";
import type { answerOf as AnswerOf } from "./passkey-device";

let answerOf: typeof AnswerOf | undefined;
let isAsking = false;

/**
 * The button of a form for a passkey asks the browser for it, and sends what it says. What asks is loaded with the first
 * such form, before the button is pressed: Safari asks only right after a press.
 */
export function startPasskeys(): void {
  onArrival((root) => {
    if (all("form[data-passkey]", root).length > 0) void load();
  });
  on(
    "submit",
    (event, form) => {
      const { submitter } = event;
      const answer = form.querySelector<HTMLInputElement>("[data-passkey] input[name=response]");
      if (!answer || answer.value !== "" || !answerOf || !isMain(submitter)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (!isAsking) void ask(answerOf, form, answer, submitter);
    },
    true,
  );
}

async function load(): Promise<void> {
  try {
    ({ answerOf } = await import("./passkey-device"));
  } catch {
    // The server says what is needed.
  }
}

function isMain(button: HTMLElement | null): button is HTMLButtonElement {
  return button instanceof HTMLButtonElement && button.dataset["waiting"] !== undefined;
}

async function ask(
  answerFrom: typeof AnswerOf,
  form: Element,
  answer: HTMLInputElement,
  button: HTMLButtonElement,
): Promise<void> {
  isAsking = true;
  const text = button.textContent;
  button.textContent = button.dataset["waiting"] ?? "";
  setOff(button, true);
  const { passkey, options } = (form as HTMLElement).dataset;
  const value = await answerFrom(passkey === "create" ? "create" : "get", options ?? "");
  button.textContent = text;
  setOff(button, false);
  isAsking = false;
  // The page may show something else by now.
  if (!answer.isConnected) return;
  // Not in the microtask of a submit that is still going on: a browser ignores one within another.
  setTimeout(() => {
    answer.value = value;
    button.click();
    // What isn't sent, because the connection is lost, is asked for again.
    answer.value = "";
  });
}
