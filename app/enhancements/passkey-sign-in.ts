// Without it: there is no button for a passkey, and no field suggests one. Customers sign in with their password.
import type { Question } from "./passkey-device";
import { askDevice, device, isAsking } from "./passkeys";
import { on, onArrival, partsFor } from "./page";

/** The form for a passkey's answer, and the names of its fields. */
const FORM = "passkey-sign-in";
/** The fields that begin to suggest passkeys once one of them is touched. */
const SUGGESTING = "main form input";
/** A question is replaced after this part of its life. */
const FRESH = 0.75;
/** The life of a question that doesn't name one, and the shortest, in ms: a field must not ask without end. */
const LIFE_MS = { usual: 300_000, least: 60_000 };
/** The answer for the server when there was no question to be had (contract/rules/field-rules.ts). */
const UNASKED = "unasked";

/** The last question that was drawn and not yet answered. */
let question: Question | undefined;
/** Ends the suggestions of a field. */
let suggesting: AbortController | undefined;

/**
 * Signs in with a passkey: by a button, or by a suggestion in a field. Nothing is asked before either is touched. One
 * question at a time: the button ends the suggestions, which begin again with the next touch.
 */
export function startPasskeySignIn(): void {
  // An address that is a number has no passkeys. Older browsers can't send a form without a button.
  if (!("PublicKeyCredential" in window) || /^[\d.]+$|:/.test(location.hostname)) return;
  if (!("requestSubmit" in HTMLFormElement.prototype)) return;
  onArrival((root) => {
    const parts = partsFor(FORM, root);
    if (parts.length > 0) suggesting?.abort();
    for (const { place, copy } of parts) if (!place.firstChild) place.append(copy());
  });
  on("focusin", (_event, target) => {
    const form = passkeyForm();
    if (form && !suggesting && !isAsking() && target.matches(SUGGESTING)) void suggest(form);
  });
  on("click", (_event, target) => {
    const button = target.closest<HTMLElement>(`[data-for-scripts=${FORM}] button`);
    const form = button && passkeyForm();
    const answer = form?.elements.namedItem("response");
    if (!form || !(answer instanceof HTMLInputElement)) return;
    suggesting?.abort();
    askDevice({
      ...{ form, answer, button },
      prepare: (signal) => prepare(form, answer, signal),
      send: () => {
        send(form);
      },
    });
  });
  addEventListener("pagehide", () => suggesting?.abort());
}

function passkeyForm(): HTMLFormElement | undefined {
  return document.forms.namedItem(FORM) ?? undefined;
}

async function suggest(form: HTMLFormElement): Promise<void> {
  // Before anything is waited for: another touch must not ask a second time.
  const stop = (suggesting = new AbortController());
  const answer = await (await device())?.suggest(() => draw(form), stop);
  if (suggesting === stop) suggesting = undefined;
  const field = form.elements.namedItem("response");
  if (stop.signal.aborted || answer === undefined || !(field instanceof HTMLInputElement)) return;
  field.value = answer;
  send(form);
  field.value = "";
}

/** Puts a fresh question into the form. Without one no device is asked, and the server's page says so. */
async function prepare(
  form: HTMLFormElement,
  answer: HTMLInputElement,
  signal: AbortSignal,
): Promise<boolean> {
  const drawn = await draw(form, signal);
  if (drawn) form.dataset["options"] = drawn.options;
  else if (!signal.aborted) {
    answer.value = UNASKED;
    send(form);
    answer.value = "";
  }
  return drawn !== undefined && form.isConnected;
}

/** A question that is still fresh, or a new one; undefined if there is none to be had. */
async function draw(form: HTMLFormElement, signal?: AbortSignal): Promise<Question | undefined> {
  if (question && Date.now() < question.freshUntil) return question;
  try {
    const answer = await fetch(form.dataset["question"] ?? "", {
      method: "POST",
      body: new URLSearchParams(),
      ...(signal && { signal }),
    });
    // The portal doesn't offer it.
    if (answer.status === 404) for (const { place } of partsFor(FORM)) place.remove();
    const options = await answer.text();
    const { timeout = LIFE_MS.usual } = JSON.parse(options) as { readonly timeout?: number };
    const life = Math.max(timeout, LIFE_MS.least);
    return (question = { options, freshUntil: Date.now() + life * FRESH });
  } catch {
    return undefined;
  }
}

/** Sends the answer, with the username that was typed: a refused form shows it again. */
function send(form: HTMLFormElement): void {
  question = undefined;
  const typed = document.querySelector<HTMLInputElement>("input[autocomplete~=webauthn]");
  const copy = Object.assign(document.createElement("input"), { type: "hidden", name: "username" });
  copy.value = typed?.value ?? "";
  form.append(copy);
  form.requestSubmit();
  copy.remove();
}
