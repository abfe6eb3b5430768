// Without it: tabs know nothing about each other, and none is blocked.
import { isNavigating } from "../requests";
import {
  goodbyeMessage,
  step,
  type Step,
  type Tab,
  type TabEvent,
  type TabMessage,
  type TabState,
} from "./protocol";

/** A tab that takes part in the guard. */
export interface TabWatch {
  /** Asks the others again. */
  readonly check: () => void;
  readonly stop: () => void;
}

/** Makes this tab take part in the guard; calls `onState` whenever its state may have changed. */
export function watchTabs(onState: (state: TabState) => void): TabWatch {
  let tab: Tab = { id: Math.random().toString(36).slice(2), state: "Starting", since: 0 };
  let channel: TabChannel | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const say = (kind: Step["say"]) => {
    if (kind) channel?.say({ kind, id: tab.id, since: tab.since });
  };
  const handle = (event: TabEvent) => {
    const next = step(tab, event);
    tab = next.tab;
    if (next.waitMs !== undefined) {
      clearTimeout(timer);
      timer = setTimeout(timeIsUp, next.waitMs);
    }
    say(next.say);
    onState(tab.state);
  };
  const handleNow = (kind: "started" | "time-is-up" | "seen") => {
    handle({ kind, now: Date.now() });
  };
  // A hidden blocked tab claims nothing; it asks once it is visible.
  const timeIsUp = () => {
    if (!document.hidden || tab.state !== "SecondTab") handleNow("time-is-up");
  };
  const onVisibility = () => {
    if (channel && !document.hidden) handleNow("seen");
  };
  const begin = () => {
    channel ??= openTabChannel((message) => {
      handle({ kind: "heard", now: Date.now(), message });
    });
    handleNow("started");
  };
  // Closed, or frozen by the browser: either way it must not block the others.
  const leave = () => {
    clearTimeout(timer);
    say(goodbyeMessage(tab, isNavigating()));
    channel?.close();
    channel = undefined;
  };
  const comeBack = () => {
    if (!channel) begin();
  };

  const events = [
    [window, "pagehide", leave],
    [window, "pageshow", comeBack],
    [document, "freeze", leave],
    [document, "resume", comeBack],
    [document, "visibilitychange", onVisibility],
  ] as const;
  for (const [target, name, listener] of events) target.addEventListener(name, listener);
  begin();
  return {
    check: () => {
      handleNow("started");
    },
    stop: () => {
      for (const [target, name, listener] of events) target.removeEventListener(name, listener);
      leave();
    },
  };
}

/** A connection between the tabs of one browser. */
interface TabChannel {
  readonly say: (message: TabMessage) => void;
  readonly close: () => void;
}

const NAME = "portal-tab";

/** Connects to the other tabs: by a BroadcastChannel, or by their shared storage if there is none. */
function openTabChannel(heard: (message: TabMessage) => void): TabChannel {
  try {
    return overBroadcast(heard);
  } catch {
    // The browser lacks BroadcastChannel, or forbids it to this page.
    return overStorage(heard);
  }
}

function overBroadcast(heard: (message: TabMessage) => void): TabChannel {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    heard(data);
  };
  return {
    say: (message) => {
      channel.postMessage(message);
    },
    close: () => {
      channel.close();
    },
  };
}

/** Each write fires an event in the other tabs; nothing stays in the storage. */
function overStorage(heard: (message: TabMessage) => void): TabChannel {
  const onStorage = ({ key, newValue }: StorageEvent) => {
    if (key === NAME && newValue) heard(JSON.parse(newValue) as TabMessage);
  };
  window.addEventListener("storage", onStorage);
  return {
    say: (message) => {
      try {
        localStorage.setItem(NAME, JSON.stringify(message));
        localStorage.removeItem(NAME);
      } catch {
        // The browser stores nothing for us: no tab hears of another, so each is the first.
      }
    },
    close: () => {
      window.removeEventListener("storage", onStorage);
    },
  };
}
