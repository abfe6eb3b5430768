import { expect, it } from "vitest";
import type { CallResponse } from "~/contract/calls.server";
import type { ActivityEvent } from "~/contract/customer-area.server";
import { signInNews } from "~/journeys/customer-area/sign-in-news";
import { PROFILE } from "~/journeys/kit/screen-states";

type Listed = CallResponse<"activity">["events"][number];

/** The news of events, newest first, as [hour of 14 January, event]. The previous sign-in was at 6:00 UTC. */
function newsOf(events: readonly (readonly [hour: number, event: ActivityEvent])[]) {
  const listed = events.map(([hour, event]) => ({
    at: at(hour),
    event,
    deviceName: "Firefox 140, Windows 11",
  }));
  return signInNews({ events: listed }, { ...PROFILE, lastSignIn: LAST });
}

const at = (hour: number) => `2026-01-14T${String(hour).padStart(2, "0")}:00:00.000Z`;
const LAST = { at: at(6), deviceName: "Chrome 141, Android 15" };

it("[F54] new devices and refused tries since the previous sign-in are news, other events aren't", () => {
  const news = newsOf([
    [12, "signed-in"],
    [11, "locked"],
    [10, "sign-in-refused"],
    [9, "device-trusted"],
    [8, "document-downloaded"],
  ]);
  expect(news?.since).toBe(LAST.at);
  expect(news?.devices.map((device) => device.at)).toEqual([at(9)]);
  expect(news?.refusals.map((refusal) => refusal.at)).toEqual([at(11), at(10)]);
});

it("[F54] a device that was trusted at the sign-in before this one is news: somebody else may have signed in", () => {
  const news = newsOf([
    [12, "signed-in"],
    [6, "device-trusted"],
    [6, "signed-in"],
  ]);
  expect(news?.devices).toHaveLength(1);
});

it("[F54] the device that the customer is using, and a slip on it just before the sign-in, are no news", () => {
  const own = { ...PROFILE, trustedDevices: [], thisDevice: "own", lastSignIn: LAST };
  const trustedDevices = [
    { id: "own", deviceName: "Firefox 140", trustedAt: at(6), expiresAt: "2026-02-13T06:00:00.000Z" },
  ];
  const ofEvents = (
    events: readonly (Omit<Listed, "deviceName"> & Pick<Partial<Listed>, "deviceName">)[],
  ) => {
    const listed = events.map((event) => ({ deviceName: "Firefox 140", ...event }));
    const news = signInNews({ events: listed }, { ...own, trustedDevices });
    return news && [...news.devices, ...news.refusals];
  };
  const signedIn = { at: at(12), event: "signed-in" as const };
  const slip = { at: "2026-01-14T11:58:00.000Z", event: "sign-in-refused" as const };
  const trusted = { at: at(6), event: "device-trusted" as const };
  expect(ofEvents([signedIn, { ...slip, sameDevice: true }, trusted])).toBeUndefined();
  expect(ofEvents([signedIn, { ...slip, sameDevice: false }])).toHaveLength(1);
  expect(ofEvents([signedIn, { ...slip, sameDevice: true, at: at(11) }])).toHaveLength(1);
  expect(ofEvents([signedIn, { ...trusted, at: at(7) }])).toHaveLength(1);
  expect(ofEvents([signedIn, { ...trusted, deviceName: "Safari 18" }])).toHaveLength(1);
});

it("[F54] what this session did itself, and what was before the last sign-in, is no news", () => {
  expect(
    newsOf([
      [13, "sign-in-refused"],
      [12, "device-trusted"],
      [12, "signed-in"],
      [5, "sign-in-refused"],
    ]),
  ).toBeUndefined();
});

it("[F54] if the backend doesn't say when the last sign-in was, nothing is said", () => {
  const events = [{ at: at(11), event: "sign-in-refused" as const, deviceName: "" }];
  expect(signInNews({ events }, { ...PROFILE, lastSignIn: undefined })).toBeUndefined();
});
