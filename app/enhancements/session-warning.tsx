// Without it: nobody is warned; the session ends, and the sign-in page says why.
import { useRevalidator } from "@remix-run/react";
import { useContext, useEffect, useRef, useState } from "react";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { useModalDialog } from "./modal-dialog";
import { useRequests } from "./requests";
import { sessionPhase, type SessionLimits, type SessionPhase, type SessionTimes } from "./session-clock";
import { InSecondTab } from "./single-tab/single-tab-guard";

/** The words of the warning. */
export interface SessionWarningWords {
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

/** Two minutes before a session ends: a question, and one click to go on. When time is out, the server is asked. */
export function SessionWarning({ limits, words }: Props) {
  const { revalidate } = useRevalidator();
  const blocked = useContext(InSecondTab);
  const phase = useSessionPhase(limits, blocked, revalidate);
  const [closed, setClosed] = useState(false);
  if (phase.kind !== "warning" || closed || blocked) return null;
  const close = () => {
    setClosed(true);
  };
  return (
    <Warning
      words={words}
      text={words.text[phase.minutes > 1 ? 1 : 0]}
      {...(phase.canStay ? { goOn: words.stay, onGoOn: revalidate } : { goOn: words.close, onGoOn: close })}
    />
  );
}

function Warning({
  words,
  text,
  goOn,
  onGoOn,
}: {
  readonly words: SessionWarningWords;
  readonly text: string;
  readonly goOn: string;
  readonly onGoOn: () => void;
}) {
  const ref = useModalDialog();
  return (
    <Dialog ref={ref} id="session-end" role="alertdialog" header={words.title} message={text} open>
      <Button type="button" data-escape onClick={onGoOn}>
        {goOn}
      </Button>
      <form method="post" action="/home/logout" className="mt-3 sm:mr-3 sm:mt-0">
        <Button type="submit" variant="secondary">
          {words.signOut}
        </Button>
      </form>
    </Dialog>
  );
}

/** Where the session stands; every request of this tab makes it last longer. A blocked tab leaves that to the first. */
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
    // The server was asked at some moment of the request: counted from its end, we are never too early.
    const touched = busy || wasBusy.current;
    wasBusy.current = busy;
    const times: SessionTimes = {
      beganAt: known.current?.beganAt ?? now,
      touchedAt: touched ? now : (known.current?.touchedAt ?? now),
    };
    known.current = times;
    if (blocked) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      const next = sessionPhase(times, { idleSeconds, maxSeconds }, Date.now());
      setPhase(next);
      if (next.kind === "over") {
        // Should the server know better, all is counted anew: asking on and on would help nobody.
        known.current = undefined;
        askServer.current();
      } else timer = setTimeout(look, next.forMs);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [busy, blocked, idleSeconds, maxSeconds]);
  return phase;
}
