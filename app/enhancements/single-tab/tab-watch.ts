// Without it: a tab is no different from any other.
import { openTabChannel, type TabChannel } from "./tab-channel";
import { goodbyeMessage, step, type Step, type Tab, type TabEvent, type TabState } from "./protocol";

/** A tab that takes part in the guard. */
export interface TabWatch {
  /** Asks the others again. */
  readonly check: () => void;
  readonly stop: () => void;
}

/** Lets this tab take part: it is told its state whenever that may have changed. */
export function watchTabs(changed: (state: TabState) => void): TabWatch {
  let tab: Tab = { id: Math.random().toString(36).slice(2), state: "Starting", since: 0 };
  let line: TabChannel | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const say = (kind: Step["say"]) => {
    if (kind) line?.say({ kind, id: tab.id, since: tab.since });
  };
  const happens = (event: TabEvent) => {
    const next = step(tab, event);
    tab = next.tab;
    if (next.waitMs !== undefined) {
      clearTimeout(timer);
      timer = setTimeout(timeIsUp, next.waitMs);
    }
    say(next.say);
    changed(tab.state);
  };
  const now = (kind: "started" | "time-is-up" | "seen") => {
    happens({ kind, now: Date.now() });
  };
  // A blocked tab that nobody sees claims nothing; it asks when it is looked at.
  const timeIsUp = () => {
    if (!document.hidden || tab.state !== "SecondTab") now("time-is-up");
  };
  const looked = () => {
    if (line && !document.hidden) now("seen");
  };
  const begin = () => {
    line ??= openTabChannel((message) => {
      happens({ kind: "heard", now: Date.now(), message });
    });
    now("started");
  };
  // Gone, or put to sleep by the browser: either way it must not keep the others out.
  const leave = () => {
    clearTimeout(timer);
    say(goodbyeMessage(tab));
    line?.close();
    line = undefined;
  };
  const comeBack = () => {
    if (!line) begin();
  };

  const events = [
    [window, "pagehide", leave],
    [window, "pageshow", comeBack],
    [document, "freeze", leave],
    [document, "resume", comeBack],
    [document, "visibilitychange", looked],
  ] as const;
  for (const [target, name, listener] of events) target.addEventListener(name, listener);
  begin();
  return {
    check: () => {
      now("started");
    },
    stop: () => {
      for (const [target, name, listener] of events) target.removeEventListener(name, listener);
      leave();
    },
  };
}
