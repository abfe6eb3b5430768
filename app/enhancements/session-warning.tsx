// Without it: there is no warning; the session ends, and the sign-in page says why.
import { useContext, useEffect, useRef, useState } from "react";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { useAskServer } from "./lost-connection";
import { useModalDialog } from "./modal-dialog";
import { useRequests } from "./requests";
import { sessionPhase, type SessionLimits, type SessionPhase, type SessionTimes } from "./session-clock";
import { InSecondTab } from "./single-tab/single-tab-guard";

interface SessionWarningWords {
  readonly title: string;
  /** With one minute left, and with two. */
  readonly text: readonly [string, string];
  readonly stay: string;
  readonly signOut: string;
  readonly close: string;
}

interface Props {
  readonly limits: SessionLimits;
  readonly words: SessionWarningWords;
}

/** Warns two minutes before a session ends; one click extends it. When the time is up, it asks the server. */
export function SessionWarning({ limits, words }: Props) {
  const askServer = useAskServer();
  const blocked = useContext(InSecondTab);
  const phase = useSessionPhase(limits, blocked, askServer);
  const [closed, setClosed] = useState(false);
  if (phase.kind !== "warning" || closed || blocked) return null;
  const close = () => {
    setClosed(true);
  };
  return (
    <Warning
      words={words}
      text={words.text[phase.minutes > 1 ? 1 : 0]}
      {...(phase.canStay
        ? { action: words.stay, onAction: askServer }
        : { action: words.close, onAction: close })}
    />
  );
}

function Warning({
  words,
  text,
  action,
  onAction,
}: {
  readonly words: SessionWarningWords;
  readonly text: string;
  readonly action: string;
  readonly onAction: () => void;
}) {
  const ref = useModalDialog();
  return (
    <Dialog ref={ref} id="session-end" role="alertdialog" header={words.title} message={text} open>
      <Button type="button" data-escape onClick={onAction}>
        {action}
      </Button>
      <form method="post" action="/home/logout" className="mt-3 sm:mr-3 sm:mt-0">
        <Button type="submit" variant="secondary">
          {words.signOut}
        </Button>
      </form>
    </Dialog>
  );
}

/** The phase of the session, which every request of this tab extends. A blocked tab leaves watching to the first. */
function useSessionPhase(
  { idleSeconds, maxSeconds }: SessionLimits,
  blocked: boolean,
  ask: () => void,
): SessionPhase {
  const [phase, setPhase] = useState<SessionPhase>({ kind: "quiet", forMs: 0 });
  const busy = useRequests() > 0;
  const wasBusy = useRef(false);
  const known = useRef<SessionTimes>();
  const askServer = useRef(ask);
  askServer.current = ask;

  useEffect(() => {
    const now = Date.now();
    // The server saw the request some time before its end: counting from the end, we are never too early.
    const touched = busy || wasBusy.current;
    wasBusy.current = busy;
    const times: SessionTimes = {
      beganAt: known.current?.beganAt ?? now,
      touchedAt: touched ? now : (known.current?.touchedAt ?? now),
    };
    known.current = times;
    if (blocked) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = () => {
      clearTimeout(timer);
      const next = sessionPhase(times, { idleSeconds, maxSeconds }, Date.now());
      setPhase(next);
      if (next.kind === "over") {
        // If the server says it still lasts, start counting again instead of asking in a loop.
        known.current = undefined;
        askServer.current();
      } else timer = setTimeout(check, next.forMs);
    };
    check();
    document.addEventListener("visibilitychange", check);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", check);
    };
  }, [busy, blocked, idleSeconds, maxSeconds]);
  return phase;
}
