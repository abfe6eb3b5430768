// Without it: there is no warning; the session ends, and the sign-in page says why.
import type { SessionLimits } from "~/contract/rules/page";
import { closeModal, openModal } from "./dialogs";
import { askServer } from "./fresh-page";
import { on, partsFor, type PartForScripts } from "./page";
import { sessionPhase, type SessionTimes } from "./session-clock";
import { isBlocked } from "./single-tab/guard";

/** The attributes of a session's layout (shell/session-layout.tsx). */
interface SessionWords {
  readonly limits: SessionLimits;
  readonly text: string;
  /** In the last minute, in place of `text`. */
  readonly soon: string;
  readonly stay: string;
  readonly close: string;
}

let times: SessionTimes = { beganAt: 0, touchedAt: 0 };
let timer: ReturnType<typeof setTimeout> | undefined;
let isDismissed = false;
let forgetBegin: () => void;

document.addEventListener("visibilitychange", check);
on("click", (_event, target) => {
  const button = target.closest("#session-end-dialog [data-escape]");
  if (!button) return;
  if (button.hasAttribute("data-stays")) void askServer({ isShown: false });
  else isDismissed = true;
  close();
});

/** Warns two minutes before a session ends; one click extends it. When the time is up, it asks the server. */
export function watchSession(since: SessionTimes, forget: () => void): void {
  times = since;
  forgetBegin = forget;
  isDismissed = false;
  check();
}

function check(): void {
  clearTimeout(timer);
  const [part] = partsFor("session-end");
  // A blocked tab leaves the warning to the first tab.
  if (!part || isBlocked()) {
    close();
    return;
  }
  const words = JSON.parse(part.said) as SessionWords;
  const phase = sessionPhase(times, words.limits, Date.now());
  if (phase.kind === "over") {
    // If the server says that it still lasts, counting starts again.
    forgetBegin();
    void askServer({ isShown: true });
    return;
  }
  timer = setTimeout(check, phase.forMs);
  if (phase.kind === "quiet") close();
  else if (!isDismissed)
    show(part, {
      text: phase.isLastMinute ? words.soon : words.text,
      button: phase.canStay ? words.stay : words.close,
      stays: phase.canStay,
    });
}

interface Warning {
  readonly text: string;
  readonly button: string;
  readonly stays: boolean;
}

function show(part: PartForScripts, { text, button, stays }: Warning): void {
  let dialog = document.querySelector<HTMLDialogElement>("#session-end-dialog");
  if (!dialog) {
    dialog = part.copy().querySelector("dialog");
    if (!dialog) return;
    dialog.id = "session-end-dialog";
    document.body.append(dialog);
    openModal(dialog);
  }
  const message = dialog.querySelector("#session-end-message p");
  const safe = dialog.querySelector("[data-escape]");
  if (message) message.textContent = text;
  if (!safe) return;
  safe.textContent = button;
  safe.toggleAttribute("data-stays", stays);
}

function close(): void {
  const dialog = document.querySelector<HTMLDialogElement>("#session-end-dialog");
  if (dialog) closeModal(dialog);
}
