// Without it: tabs know nothing of each other, and none is blocked.
import type { TabMessage } from "./protocol";

/** How tabs of one browser speak to each other. */
export interface TabChannel {
  readonly say: (message: TabMessage) => void;
  readonly close: () => void;
}

const NAME = "portal-tab";

/** A line to the other tabs: a channel, or, where there is none, the storage that they share. */
export function openTabChannel(heard: (message: TabMessage) => void): TabChannel {
  try {
    return channel(heard);
  } catch {
    // Unknown to the browser, or forbidden to this page.
    return storage(heard);
  }
}

function channel(heard: (message: TabMessage) => void): TabChannel {
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

/** The other tabs are told of every change; nothing stays in the storage. */
function storage(heard: (message: TabMessage) => void): TabChannel {
  const changed = ({ key, newValue }: StorageEvent) => {
    if (key === NAME && newValue) heard(JSON.parse(newValue) as TabMessage);
  };
  window.addEventListener("storage", changed);
  return {
    say: (message) => {
      try {
        localStorage.setItem(NAME, JSON.stringify(message));
        localStorage.removeItem(NAME);
      } catch {
        // The browser keeps nothing for us: without a word from others every tab is the first.
      }
    },
    close: () => {
      window.removeEventListener("storage", changed);
    },
  };
}
