// Without it: there is no warning; the session ends, and the sign-in page says why.
import { onArrival, partsFor } from "./page";
import { onAnswer } from "./requests";

/** The key under which a tab stores the time when it first saw its session. */
const BEGAN = "session-began";

/** Counts a session's time. The warning before its end is loaded where there is a session. */
export function startSessionWarning(): void {
  onArrival(begin);
  // The server saw the request some time before its end: counting from the end, we are never too early.
  onAnswer(begin);
}

function begin(): void {
  if (partsFor("session-end").length === 0) {
    forgetBegin();
    return;
  }
  const touchedAt = Date.now();
  const times = { beganAt: rememberBegin(touchedAt), touchedAt };
  import("./session-warning").then(
    ({ watchSession }) => {
      watchSession(times, forgetBegin);
    },
    // Loaded again after the next answer.
    () => undefined,
  );
}

/** The session's age outlives a page: it began when this tab saw it first. */
function rememberBegin(now: number): number {
  try {
    const began = Number(sessionStorage.getItem(BEGAN) ?? now);
    sessionStorage.setItem(BEGAN, String(began));
    return began;
  } catch {
    // The browser stores nothing for us.
    return now;
  }
}

function forgetBegin(): void {
  try {
    sessionStorage.removeItem(BEGAN);
  } catch {
    // Nothing was stored.
  }
}
