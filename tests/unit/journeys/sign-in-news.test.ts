import { expect, it } from "vitest";
import type { CallResponse } from "~/contract/calls.server";
import type { ActivityEvent } from "~/contract/customer-area.server";
import { textsIn } from "~/i18n/texts.server";
import { signInNews } from "~/journeys/customer-area/sign-in-news.server";
import { PROFILE } from "~/journeys/kit/screen-states";

const t = textsIn("pl");
type Listed = CallResponse<"activity">["events"][number];

/** The card's lines for events, newest first, as [hour of 14 January, event]. The previous sign-in was at 6:00 UTC. */
function said(events: readonly (readonly [hour: number, event: ActivityEvent])[]) {
  const listed = events.map(([hour, event]) => ({
    at: at(hour),
    event,
    deviceName: "Firefox 140, Windows 11",
  }));
  const news = signInNews(t, { events: listed }, { ...PROFILE, lastSignIn: LAST });
  return news?.lines.map((line) => line.replaceAll("\u00A0", " "));
}

const at = (hour: number) => `2026-01-14T${String(hour).padStart(2, "0")}:00:00.000Z`;
const LAST = { at: at(6), deviceName: "Chrome 141, Android 15" };

it("[F54] new devices are named, and refused tries counted, with the time of the last one", () => {
  expect(
    said([
      [12, "signed-in"],
      [11, "locked"],
      [10, "sign-in-refused"],
      [9, "device-trusted"],
      [8, "document-downloaded"],
    ]),
  ).toEqual([
    "Nowe zaufane urządzenie: Firefox 140, Windows 11, 14 stycznia 2026, 10:00",
    "2 nieudane próby logowania, ostatnia 14 stycznia 2026, 12:00",
  ]);
});

it("[F54] a device that was trusted at the sign-in before this one is named: somebody else may have signed in", () => {
  expect(
    said([
      [12, "signed-in"],
      [6, "device-trusted"],
      [6, "signed-in"],
    ]),
  ).toHaveLength(1);
});

it("[F54] the device that the customer is using, and a slip on it just before the sign-in, are no news", () => {
  const own = { ...PROFILE, trustedDevices: [], thisDevice: "own", lastSignIn: LAST };
  const trustedDevices = [
    { id: "own", deviceName: "Firefox 140", trustedAt: at(6), expiresAt: "2026-02-13T06:00:00.000Z" },
  ];
  const ofEvents = (events: readonly (Omit<Listed, "deviceName"> & Pick<Partial<Listed>, "deviceName">)[]) =>
    signInNews(
      t,
      { events: events.map((event) => ({ deviceName: "Firefox 140", ...event })) },
      { ...own, trustedDevices },
    )?.lines;
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
    said([
      [13, "sign-in-refused"],
      [12, "device-trusted"],
      [12, "signed-in"],
      [5, "sign-in-refused"],
    ]),
  ).toBeUndefined();
});

it("[F54] if the backend doesn't say when the last sign-in was, nothing is said", () => {
  const events = [{ at: at(11), event: "sign-in-refused" as const, deviceName: "" }];
  expect(signInNews(t, { events }, { ...PROFILE, lastSignIn: undefined })).toBeUndefined();
});
