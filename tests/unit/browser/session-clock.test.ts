import { describe, expect, it } from "vitest";
import type { SessionLimits } from "~/contract/rules/page";
import { sessionPhase } from "~/browser/session-clock";

const MINUTE = 60_000;
const LIMITS: SessionLimits = { idleSeconds: 15 * 60, maxSeconds: 8 * 3600 };
const AT = 1_000_000_000;

function after(minutes: number, limits = LIMITS) {
  return sessionPhase({ beganAt: AT, touchedAt: AT }, limits, AT + minutes * MINUTE);
}

describe("the warning before a session ends", () => {
  it("comes two minutes before the idle limit, and no sooner", () => {
    expect(after(0)).toEqual({ kind: "quiet", forMs: 13 * MINUTE });
    expect(after(12.9)).toMatchObject({ kind: "quiet" });
    expect(after(13)).toEqual({ kind: "warning", forMs: MINUTE, isLastMinute: false, canStay: true });
  });

  it("says when the last minute has begun, and not a moment later", () => {
    expect(after(13.5)).toMatchObject({ isLastMinute: false, forMs: 0.5 * MINUTE });
    expect(after(13.99)).toMatchObject({ isLastMinute: false });
    expect(after(14)).toMatchObject({ isLastMinute: true });
    expect(after(14.99)).toMatchObject({ isLastMinute: true });
  });

  it("stays a moment longer than the session: a request that comes too early would extend it", () => {
    expect(after(15)).toMatchObject({ kind: "warning", forMs: 2000 });
    expect(after(15 + 2 / 60)).toEqual({ kind: "over" });
  });

  it("notices that a session ended while the computer slept", () => {
    expect(after(600)).toEqual({ kind: "over" });
  });

  it("also comes before the maximum age, when staying is impossible", () => {
    const now = AT + (8 * 60 - 1.5) * MINUTE;
    expect(sessionPhase({ beganAt: AT, touchedAt: now - 1 }, LIMITS, now)).toMatchObject({
      kind: "warning",
      isLastMinute: false,
      canStay: false,
    });
  });

  it("comes half-way through if sessions are shorter than four minutes", () => {
    const short: SessionLimits = { idleSeconds: 120, maxSeconds: 8 * 3600 };
    expect(after(0.9, short)).toMatchObject({ kind: "quiet" });
    expect(after(1, short)).toMatchObject({ kind: "warning", isLastMinute: true });
  });

  it("always gives a later time to check again", () => {
    for (let minutes = 0; minutes < 15; minutes += 0.05) {
      const phase = after(minutes);
      expect(phase.kind !== "over" && phase.forMs > 0, String(minutes)).toBe(true);
    }
  });
});
