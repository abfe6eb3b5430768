// Without it: tabs know nothing about each other, and none is blocked.
import type { TabMessage } from "./protocol";

/** A connection between the tabs of one browser. */
export interface TabChannel {
  readonly say: (message: TabMessage) => void;
  readonly close: () => void;
}

const NAME = "portal-tab";

/** Connects to the other tabs: by a BroadcastChannel, or by their shared storage if there is none. */
export function openTabChannel(heard: (message: TabMessage) => void): TabChannel {
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
