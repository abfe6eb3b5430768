// Without it: people type the code from the message, the buttons are always there, and the server answers.
import { codeIn } from "~/contract/rules";
import { isRefused } from "./field-errors";
import { all, on, onArrival, onValue, setOff } from "./page";
import { isSending } from "./send-form";

/** After these errors, the code can't be submitted again until it is changed (specification §8). */
const WRONG_CODE: readonly (string | undefined)[] = ["007", "010"];
/** The same after this error, but the resend link stays: only a new code helps. */
const CODE_ENDED = "code-ended";

let lastRequest = 0;

/**
 * Starts everything around a code: its button is off while the code is empty or was just found wrong. The resend link
 * is hidden after a wrong code (specification §2 MFA, §8 007), and ignores clicks for a moment after a press (§4). Of
 * a pasted message only the code is kept (F16), and the code in the phone's message is filled in (C-39).
 */
export function startCodeField(): void {
  onArrival((root) => {
    for (const input of all("input[data-code]", root)) {
      if (!(input instanceof HTMLInputElement)) continue;
      update(input);
      if (input.dataset["code"] === "sent") fillFromMessage(input);
    }
  });
  onValue((input) => {
    if (input.dataset["code"]) update(input);
  });
  // The refusal may stand again or no longer, or a value may have changed without an event.
  for (const name of ["portal:refusal", "focusin", "mouseover"]) {
    document.addEventListener(name, ({ target }) => {
      const form = target instanceof Element ? target.closest("form") : null;
      const input = form?.querySelector<HTMLInputElement>("input[data-code]");
      if (input) update(input);
    });
  }
  on("click", throttle, true);
  on("paste", (event, input) => {
    if (!(input instanceof HTMLInputElement) || !input.dataset["code"]) return;
    const code = codeIn(event.clipboardData?.getData("text") ?? "");
    if (code === undefined) return;
    event.preventDefault();
    enter(input, code);
  });
}

function update(input: HTMLInputElement): void {
  const { form } = input;
  if (!form) return;
  const refused = isRefused(form) ? form.dataset["refused"] : undefined;
  const isWrong = WRONG_CODE.includes(refused);
  for (const button of all("[data-needs-code]", form))
    setOff(button, input.value === "" || isWrong || refused === CODE_ENDED || isSending());
  const [resend] = all("[data-resend]", form);
  if (resend) resend.hidden = isWrong;
  for (const button of all("[data-throttle]", form)) {
    const waitsFor = lastRequest + Number(button.dataset["throttle"]) - Date.now();
    setOff(button, waitsFor > 0 || isSending());
    if (waitsFor > 0) setTimeout(update, waitsFor, input);
    say(form, waitsFor > 0 ? button.dataset["wait"] : isWrong ? button.dataset["afterWrong"] : undefined);
  }
}

function say(form: HTMLFormElement, text = ""): void {
  const status = form.querySelector("[data-code-status]");
  if (status && status.textContent !== text) status.textContent = text;
}

/** The resend link ignores further clicks for as long as the limit says (specification §4). */
function throttle(event: MouseEvent, target: Element): void {
  const button = target.closest<HTMLButtonElement>("[data-throttle]");
  if (!button) return;
  if (Date.now() - lastRequest < Number(button.dataset["throttle"])) {
    event.preventDefault();
    return;
  }
  lastRequest = Date.now();
  const input = button.form?.querySelector<HTMLInputElement>("input[data-code]");
  // Only after the submit: some browsers would not start it from a button that is already off.
  if (input) setTimeout(update, 0, input);
}

function enter(input: HTMLInputElement, code: string): void {
  input.value = code;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** WebOTP (WICG), unknown to TypeScript. */
interface MessageCredential extends Credential {
  readonly code?: string;
}
interface MessageRequest extends CredentialRequestOptions {
  readonly otp: { readonly transport: readonly ["sms"] };
}

/** Fills in the code from the message, and sends nothing: people check the rest of the form first. */
function fillFromMessage(input: HTMLInputElement): void {
  if (!("OTPCredential" in window)) return;
  const listening = new AbortController();
  const request: MessageRequest = { otp: { transport: ["sms"] }, signal: listening.signal };
  navigator.credentials.get(request).then(
    (credential: MessageCredential | null) => {
      if (credential?.code && input.isConnected && !listening.signal.aborted) enter(input, credential.code);
    },
    // Declined, unsupported here, or aborted.
    () => undefined,
  );
  input.form?.addEventListener("submit", () => {
    listening.abort();
  });
}
