// Without it: there is no button for a passkey, and no field suggests one. Customers sign in with their password.
import { PASSKEY_SIGN_IN } from "~/contract/rules/page";
import type { Challenge } from "./passkey-device";
import { askDevice, device, isAsking } from "./passkeys";
import { on, onArrival, partsFor } from "./page";

/** A challenge is replaced after this part of its lifetime. */
const FRESH = 0.75;
/** The default and the shortest lifetime of a challenge, in ms: a field must not request challenges without end. */
const LIFETIME_MS = { usual: 300_000, least: 60_000 };

/** The hidden form that sends a passkey's answer, beside the form for the password. */
interface AnswerForm {
  readonly form: HTMLFormElement;
  readonly answer: HTMLInputElement;
  readonly username: HTMLInputElement;
  /** The form for the password. */
  readonly signIn: HTMLFormElement;
}

/** The form of the current page, if it offers to sign in with a passkey. */
let offered: AnswerForm | undefined;
/** The last challenge that was issued and not yet answered. */
let challenge: Challenge | undefined;
/** Tells the device that the passkey of the last answer is unknown here. */
let tellUnknown: (() => void) | undefined;
/** Ends the suggestions of a field. */
let suggesting: AbortController | undefined;

/**
 * Signs in with a passkey: by a button, or by a suggestion in a field. No challenge is requested before either is
 * touched. Only one runs at a time: the button ends the suggestions, which begin again with the next touch.
 */
export function startPasskeySignIn(): void {
  // There are no passkeys at an IP address. Older browsers can't submit a form without a button.
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
    const current = offered;
    askDevice({
      ...current,
      button,
      prepare: (signal) => prepare(current, signal),
      send: () => {
        send(current, current.answer.value);
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

async function suggest(current: AnswerForm): Promise<void> {
  // Set before the first await, so that another touch doesn't start a second time.
  const stop = (suggesting = new AbortController());
  // Not in the page as it comes: Chromium would fill no saved password in. Nothing is suggested in a read-only field.
  const field = current.signIn.querySelector<HTMLInputElement>("input:not([readonly])");
  field?.setAttribute("autocomplete", field.autocomplete.replace(/ webauthn|$/, " webauthn"));
  const answer = await (await device())?.suggest(freshChallenge, stop);
  if (suggesting === stop) suggesting = undefined;
  if (answer !== undefined && !stop.signal.aborted) send(current, answer);
}

/** Puts a fresh challenge into the form. Without a challenge the device isn't asked, and the server's page says so. */
async function prepare(current: AnswerForm, signal: AbortSignal): Promise<boolean> {
  const fresh = await freshChallenge(signal);
  if (fresh) current.form.dataset["options"] = fresh.options;
  else if (!signal.aborted) send(current, PASSKEY_SIGN_IN.unasked);
  return fresh !== undefined && current.form.isConnected;
}

/** The current challenge if it is still fresh, or a new one; undefined if none can be fetched. */
async function freshChallenge(signal?: AbortSignal): Promise<Challenge | undefined> {
  if (challenge && Date.now() < challenge.freshUntil) return challenge;
  try {
    const answer = await fetch(PASSKEY_SIGN_IN.question, {
      method: "POST",
      body: new URLSearchParams(),
      ...(signal && { signal }),
    });
    // The portal doesn't offer it.
    if (answer.status === 404) for (const { place } of partsFor(PASSKEY_SIGN_IN.name)) place.remove();
    const options = await answer.text();
    const { timeout = LIFETIME_MS.usual } = JSON.parse(options) as { readonly timeout?: number };
    const lifetime = Math.max(timeout, LIFETIME_MS.least);
    return (challenge = { options, freshUntil: Date.now() + lifetime * FRESH });
  } catch {
    return undefined;
  }
}

/** Sends an answer, with the username that was typed: a refused form shows it again. */
function send({ form, answer, username, signIn }: AnswerForm, value: string): void {
  const answered = challenge;
  tellUnknown = () => void device().then((loaded) => answered && loaded?.tellUnknown(answered, value));
  challenge = undefined;
  answer.value = value;
  username.value = signIn.querySelector<HTMLInputElement>("[name=username]")?.value ?? "";
  form.requestSubmit();
  answer.value = "";
}
