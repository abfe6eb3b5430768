// Without it: there is no button for a passkey, and no field suggests one. Customers sign in with their password.
import { PASSKEY_SIGN_IN } from "~/contract/rules/page";
import type { Question } from "./passkey-device";
import { askDevice, device, isAsking } from "./passkeys";
import { on, onArrival, partsFor } from "./page";

/** A question is replaced after this part of its life. */
const FRESH = 0.75;
/** The life of a question that doesn't name one, and the shortest, in ms: a field must not ask without end. */
const LIFE_MS = { usual: 300_000, least: 60_000 };

/** The form that sends a passkey's answer: beside the one for the password, with nothing to see or to press. */
interface AnswerForm {
  readonly form: HTMLFormElement;
  readonly answer: HTMLInputElement;
  readonly username: HTMLInputElement;
  /** The form for the password. */
  readonly signIn: HTMLFormElement;
}

/** Of the page on the screen, if it offers to sign in with a passkey. */
let offered: AnswerForm | undefined;
/** The last question that was drawn and not yet answered. */
let question: Question | undefined;
/** Tells the device that the passkey that was sent last is unknown. */
let tellUnknown: (() => void) | undefined;
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
    suggesting?.abort();
    offered?.form.remove();
    offered = undefined;
    const [part] = partsFor(PASSKEY_SIGN_IN.name, root);
    const signIn = part?.place.closest("form");
    if (!part || !signIn) return;
    offered = formBeside(signIn);
    if (signIn.dataset["unknownPasskey"]) tellUnknown?.();
    if (!part.place.firstChild) part.place.append(part.copy());
  });
  on("focusin", (_event, target) => {
    if (offered && !suggesting && !isAsking() && target.matches("main form input")) void suggest(offered);
  });
  on("click", (_event, target) => {
    const button = target.closest<HTMLElement>(`[data-for-scripts=${PASSKEY_SIGN_IN.name}] button`);
    if (!button || !offered) return;
    suggesting?.abort();
    const asked = offered;
    askDevice({
      ...asked,
      button,
      prepare: (signal) => prepare(asked, signal),
      send: () => {
        send(asked, asked.answer.value);
      },
    });
  });
  addEventListener("pagehide", () => suggesting?.abort());
}

function formBeside(signIn: HTMLFormElement): AnswerForm {
  const form = document.createElement("form");
  form.method = "post";
  form.setAttribute("action", signIn.getAttribute("action") ?? "");
  const field = (name: string, value = "") => {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name, value });
    form.append(input);
    return input;
  };
  field("intent", PASSKEY_SIGN_IN.intent);
  const made = { form, answer: field("response"), username: field("username"), signIn };
  // Outside of `main`: its fields have the names of the other form's.
  document.body.append(form);
  return made;
}

async function suggest(asked: AnswerForm): Promise<void> {
  // Before anything is waited for: another touch must not ask a second time.
  const stop = (suggesting = new AbortController());
  // Not in the page as it comes: Chromium would fill no saved password in. Nothing is suggested in a read-only field.
  const field = asked.signIn.querySelector<HTMLInputElement>("input:not([readonly])");
  field?.setAttribute("autocomplete", field.autocomplete.replace(/ webauthn|$/, " webauthn"));
  const answer = await (await device())?.suggest(draw, stop);
  if (suggesting === stop) suggesting = undefined;
  if (answer !== undefined && !stop.signal.aborted) send(asked, answer);
}

/** Puts a fresh question into the form. Without one no device is asked, and the server's page says so. */
async function prepare(asked: AnswerForm, signal: AbortSignal): Promise<boolean> {
  const drawn = await draw(signal);
  if (drawn) asked.form.dataset["options"] = drawn.options;
  else if (!signal.aborted) send(asked, PASSKEY_SIGN_IN.unasked);
  return drawn !== undefined && asked.form.isConnected;
}

/** A question that is still fresh, or a new one; undefined if there is none to be had. */
async function draw(signal?: AbortSignal): Promise<Question | undefined> {
  if (question && Date.now() < question.freshUntil) return question;
  try {
    const answer = await fetch(PASSKEY_SIGN_IN.question, {
      method: "POST",
      body: new URLSearchParams(),
      ...(signal && { signal }),
    });
    // The portal doesn't offer it.
    if (answer.status === 404) for (const { place } of partsFor(PASSKEY_SIGN_IN.name)) place.remove();
    const options = await answer.text();
    const { timeout = LIFE_MS.usual } = JSON.parse(options) as { readonly timeout?: number };
    const life = Math.max(timeout, LIFE_MS.least);
    return (question = { options, freshUntil: Date.now() + life * FRESH });
  } catch {
    return undefined;
  }
}

/** Sends an answer, with the username that was typed: a refused form shows it again. */
function send({ form, answer, username, signIn }: AnswerForm, value: string): void {
  const asked = question;
  tellUnknown = () => void device().then((loaded) => asked && loaded?.tellUnknown(asked, value));
  question = undefined;
  answer.value = value;
  username.value = signIn.querySelector<HTMLInputElement>("[name=username]")?.value ?? "";
  form.requestSubmit();
  answer.value = "";
}
