import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ANSWER_MS,
  ASK_AGAIN_MS,
  goodbyeMessage,
  NAVIGATION_MS,
  RETURN_MS,
  step,
  type Tab,
  type TabEvent,
  type TabMessage,
} from "~/browser/single-tab/protocol";

/** Tabs of one browser, with a clock and a channel between them. A busy tab gets its messages later. */
class Browser {
  now = 1_000_000;
  readonly #tabs = new Map<string, { tab: Tab; wakesAt: number | undefined; busyUntil: number }>();
  #mail: { to: string; at: number; message: TabMessage }[] = [];

  open(id: string): void {
    const tab: Tab = { id, state: "Starting", since: 0 };
    this.#tabs.set(id, { tab, wakesAt: undefined, busyUntil: 0 });
    this.#happens(id, { kind: "started", now: this.now });
  }

  close(id: string, isNavigating = false): void {
    const entry = this.#tabs.get(id);
    const goodbye = entry && goodbyeMessage(entry.tab, isNavigating);
    this.crash(id);
    if (entry && goodbye) this.#say(entry.tab, goodbye);
  }

  /** Closes a tab without letting it say goodbye. */
  crash(id: string): void {
    this.#tabs.delete(id);
  }

  see(id: string): void {
    this.#happens(id, { kind: "seen", now: this.now });
  }

  busy(id: string, ms: number): void {
    const entry = this.#tabs.get(id);
    if (entry) entry.busyUntil = this.now + ms;
  }

  /** Lets time pass, a millisecond at a time. */
  pass(ms: number): void {
    for (const end = this.now + ms; this.now < end; this.now += 1) {
      const due = this.#mail.filter(({ to, at }) => at <= this.now && !this.#isBusy(to));
      this.#mail = this.#mail.filter((letter) => !due.includes(letter));
      for (const { to, message } of due) this.#happens(to, { kind: "heard", now: this.now, message });
      for (const [id, entry] of this.#tabs) {
        if (entry.wakesAt === undefined || entry.wakesAt > this.now || this.#isBusy(id)) continue;
        entry.wakesAt = undefined;
        this.#happens(id, { kind: "time-is-up", now: this.now });
      }
    }
  }

  state(id: string): Tab["state"] | undefined {
    return this.#tabs.get(id)?.tab.state;
  }

  get tabs(): readonly string[] {
    return [...this.#tabs.keys()];
  }

  get firstTabs(): readonly string[] {
    return this.tabs.filter((id) => this.state(id) === "FirstTab");
  }

  #isBusy(id: string): boolean {
    return (this.#tabs.get(id)?.busyUntil ?? 0) > this.now;
  }

  #happens(id: string, event: TabEvent): void {
    const entry = this.#tabs.get(id);
    if (!entry) return;
    const { tab, say, waitMs } = step(entry.tab, event);
    entry.tab = tab;
    if (waitMs !== undefined) entry.wakesAt = this.now + waitMs;
    if (say) this.#say(tab, say);
  }

  #say({ id, since }: Tab, kind: TabMessage["kind"]): void {
    for (const to of this.#tabs.keys())
      if (to !== id) this.#mail.push({ to, at: this.now + 1, message: { kind, id, since } });
  }
}

/** A browser with a first tab, `a`, and a second, `b`. */
function withTwoTabs(): Browser {
  const browser = new Browser();
  browser.open("a");
  browser.pass(200);
  browser.open("b");
  browser.pass(50);
  return browser;
}

describe("§4 the single-tab guard", () => {
  it("a single tab is Starting for 100 ms, then the FirstTab", () => {
    const browser = new Browser();
    browser.open("a");
    browser.pass(ANSWER_MS);
    expect(browser.state("a")).toBe("Starting");
    browser.pass(2);
    expect(browser.state("a")).toBe("FirstTab");
    expect(ANSWER_MS).toBe(100);
  });

  it("a tab that gets an answer becomes the SecondTab at once", () => {
    const browser = new Browser();
    browser.open("a");
    browser.pass(200);
    browser.open("b");
    browser.pass(5);
    expect([browser.state("a"), browser.state("b")]).toEqual(["FirstTab", "SecondTab"]);
  });

  it("of two tabs that start at the same moment, exactly one wins", () => {
    const browser = new Browser();
    browser.open("a");
    browser.open("b");
    browser.pass(200);
    expect([browser.state("a"), browser.state("b")]).toEqual(["FirstTab", "SecondTab"]);
  });

  it("the second tab takes over when the first one closes", () => {
    const browser = withTwoTabs();
    browser.close("a");
    browser.pass(RETURN_MS + ANSWER_MS + 5);
    expect(browser.state("b")).toBe("FirstTab");
  });

  it("the second tab doesn't take over while the first one is only reloading", () => {
    const browser = withTwoTabs();
    browser.close("a");
    browser.pass(RETURN_MS - 100);
    browser.open("a again");
    browser.pass(2 * ASK_AGAIN_MS);
    expect([browser.state("a again"), browser.state("b")]).toEqual(["FirstTab", "SecondTab"]);
  });

  it("a blocked tab that closes changes nothing for the others", () => {
    expect(goodbyeMessage({ id: "b", state: "SecondTab", since: 1 }, false)).toBeUndefined();
  });

  it("a first tab that loads its next page keeps its place, also when the script comes seconds late", () => {
    const browser = new Browser();
    browser.open("a");
    browser.pass(1000);
    browser.open("b");
    browser.pass(50);
    browser.close("a", true);
    browser.pass(NAVIGATION_MS - 100);
    browser.open("a again");
    browser.pass(2 * ASK_AGAIN_MS);
    expect([browser.state("a again"), browser.state("b")]).toEqual(["FirstTab", "SecondTab"]);
  });

  it("a crashed first tab blocks nobody for long: the second one asks again by itself", () => {
    const browser = withTwoTabs();
    browser.crash("a");
    browser.pass(ASK_AGAIN_MS + ANSWER_MS + 5);
    expect(browser.state("b")).toBe("FirstTab");
  });

  it("the second tab asks at once when it becomes visible", () => {
    const browser = withTwoTabs();
    browser.crash("a");
    browser.see("b");
    browser.pass(ANSWER_MS + 2);
    expect(browser.state("b")).toBe("FirstTab");
  });

  it("a first tab that slept wakes up as the second one, since the person is using the later one", () => {
    const browser = new Browser();
    browser.open("a");
    browser.pass(200);
    browser.busy("a", 10_000);
    browser.open("b");
    browser.pass(500);
    expect(browser.firstTabs).toEqual(["a", "b"]);
    browser.pass(10_000);
    expect(browser.firstTabs).toEqual(["b"]);
  });

  it("a late answer still counts", () => {
    const browser = new Browser();
    browser.open("a");
    browser.pass(200);
    browser.busy("a", 1000);
    browser.open("b");
    browser.pass(500);
    expect(browser.firstTabs).toEqual(["a", "b"]);
    browser.pass(1000);
    expect(browser.firstTabs).toEqual(["a"]);
  });

  it("a message from an unknown tab doesn't change the first tab", () => {
    const first: Tab = { id: "a", state: "FirstTab", since: 1 };
    const heard = { kind: "heard", now: 2, message: { kind: "bye", id: "x", since: 0 } } as const;
    expect(step(first, heard)).toEqual({ tab: first });
  });

  it("however tabs open, close, crash and stall, there is one first tab in the end", () => {
    const id = fc.constantFrom("a", "b", "c", "d");
    const act = fc.oneof(
      fc.record({ does: fc.constant("open" as const), id }),
      fc.record({ does: fc.constant("close" as const), id }),
      fc.record({ does: fc.constant("crash" as const), id }),
      fc.record({ does: fc.constant("see" as const), id }),
      fc.record({ does: fc.constant("busy" as const), id, ms: fc.integer({ min: 1, max: 2000 }) }),
      fc.record({ does: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 1500 }) }),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 25 }), (acts) => {
        const browser = new Browser();
        for (const one of acts) {
          if (one.does === "pass") browser.pass(one.ms);
          else if (one.does === "busy") browser.busy(one.id, one.ms);
          else if (one.does !== "open" || browser.state(one.id) === undefined) browser[one.does](one.id);
        }
        browser.pass(3000 + ASK_AGAIN_MS + RETURN_MS + 2 * ANSWER_MS);
        expect(browser.firstTabs).toHaveLength(Math.min(1, browser.tabs.length));
      }),
      { numRuns: 1000 },
    );
  });
});
