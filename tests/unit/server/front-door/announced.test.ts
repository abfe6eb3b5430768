import { afterEach, describe, expect, it } from "vitest";
import { currentAnnouncement, maintenanceUntil, setAnnounced } from "~/server/front-door/context.server";

const END = Date.UTC(2026, 10, 27, 5);
const announcement = () => ({ text: "Po polsku", textEn: "In English", until: END });

afterEach(() => {
  setAnnounced({});
});

describe("what operators have announced", () => {
  it("ends by itself, to the millisecond, even if nothing can be read any more", () => {
    setAnnounced({ announcement: announcement(), maintenance: { until: END } });
    expect([currentAnnouncement(END - 1)?.text, maintenanceUntil(END - 1)]).toEqual(["Po polsku", END]);
    expect([currentAnnouncement(END), maintenanceUntil(END)]).toEqual([undefined, undefined]);
  });

  it("stays the same as long as it says the same, so that cached pages stay, too", () => {
    setAnnounced({ announcement: announcement() });
    const before = currentAnnouncement(0);
    setAnnounced({ announcement: announcement() });
    expect(currentAnnouncement(0)).toBe(before);
    setAnnounced({ announcement: { ...announcement(), textEn: "Differently" } });
    expect(currentAnnouncement(0)).not.toBe(before);
  });
});
