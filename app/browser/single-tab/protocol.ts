// Without it: several tabs share one session; an outdated step says so.

/** Specification §3, "Single-tab states". */
export type TabState = "Starting" | "FirstTab" | "SecondTab";

/** A tab's state. */
export interface Tab {
  readonly id: string;
  readonly state: TabState;
  /** When it announced itself, or when it became the first tab; in ms since the epoch. */
  readonly since: number;
}

/**
 * The messages between tabs: "is another tab open?", "I asked before you", "I am the first tab", "I stay the first
 * tab", "I am leaving", "I am leaving, but will be back".
 */
export interface TabMessage extends Pick<Tab, "id" | "since"> {
  readonly kind: "hello" | "before" | "here" | "stay" | "bye" | "back";
}

/** An event in a tab. `now` in ms since the epoch. */
export type TabEvent =
  | { readonly kind: "started" | "time-is-up" | "seen"; readonly now: number }
  | { readonly kind: "heard"; readonly now: number; readonly message: TabMessage };

/** A tab's response to an event. */
export interface Step {
  readonly tab: Tab;
  readonly say?: TabMessage["kind"];
  /** Time is up after this long; replaces any earlier wait. */
  readonly waitMs?: number;
}

/** The first tab has this long to answer (specification §9). */
export const ANSWER_MS = 100;
/** A first tab that says goodbye may only be reloading, so it keeps its place for this long. */
export const RETURN_MS = 2000;
/** A first tab that loads its next page comes back, perhaps over a slow connection, so it keeps its place for this long. */
export const NAVIGATION_MS = 15_000;
/** A first tab that crashed or fell asleep says no goodbye, so a blocked one asks again after this long. */
export const ASK_AGAIN_MS = 5000;
/** A claim later than this comes from a tab that slept; by then the visitor works in the other one. */
const SETTLED_MS = 5000;

/** One step of the guard. Pure: in whatever order messages arrive, exactly one tab ends up first. */
export function step(tab: Tab, event: TabEvent): Step {
  switch (event.kind) {
    case "started":
      return start(tab, event.now);
    case "time-is-up":
      if (tab.state === "SecondTab") return start(tab, event.now);
      // Announce it: another tab may have become the first at the same time.
      return tab.state === "Starting"
        ? { tab: { ...tab, state: "FirstTab", since: event.now }, say: "here" }
        : { tab };
    case "seen":
      if (tab.state === "SecondTab") return start(tab, event.now);
      return tab.state === "FirstTab" ? { tab, say: "here" } : { tab };
    case "heard":
      return hear(tab, event.message, event.now);
  }
}

/** The message of a tab that leaves; a blocked one sends nothing. */
export function goodbyeMessage({ state }: Tab, isNavigating: boolean): "bye" | "back" | undefined {
  if (state === "SecondTab") return undefined;
  return isNavigating ? "back" : "bye";
}

function start(tab: Tab, now: number): Step {
  return { tab: { ...tab, state: "Starting", since: now }, say: "hello", waitMs: ANSWER_MS };
}

function hear(tab: Tab, message: TabMessage, now: number): Step {
  const claims = message.kind === "here" || message.kind === "stay";
  switch (tab.state) {
    case "Starting":
      if (message.kind === "bye" || message.kind === "back") return { tab };
      if (claims || isBefore(message, tab)) return becomeSecond(tab);
      return message.kind === "hello" ? { tab, say: "before" } : { tab };
    case "FirstTab":
      if (message.kind === "hello") return { tab, say: "here" };
      return claims ? resolveTwoFirstTabs(tab, message, now) : { tab };
    case "SecondTab":
      if (message.kind === "back") return { tab, waitMs: NAVIGATION_MS };
      return message.kind === "bye" ? { tab, waitMs: RETURN_MS } : { tab };
  }
}

/** Two first tabs: one of them was busy or asleep and answered too late. */
function resolveTwoFirstTabs(tab: Tab, other: TabMessage, now: number): Step {
  if (isBefore(tab, other)) return other.kind === "stay" ? becomeSecond(tab) : { tab, say: "here" };
  return now - tab.since < SETTLED_MS ? becomeSecond(tab) : { tab, say: "stay" };
}

function becomeSecond(tab: Tab): Step {
  return { tab: { ...tab, state: "SecondTab" }, waitMs: ASK_AGAIN_MS };
}

function isBefore(one: Pick<Tab, "id" | "since">, other: Pick<Tab, "id" | "since">): boolean {
  return one.since < other.since || (one.since === other.since && one.id < other.id);
}
