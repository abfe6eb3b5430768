import { expect, it } from "vitest";
import type { CallResponse } from "~/contract/calls.server";
import type { ActivityEvent } from "~/contract/customer-area.server";
import { signInNews } from "~/journeys/customer-area/sign-in-news";
import { PROFILE } from "~/demo/screens/screen-states";

type Listed = CallResponse<"activity">["events"][number];

const at = (hour: number, minute = 0) =>
  `2026-01-14T${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}:00.000Z`;
const LAST = { at: at(6), deviceName: "Chrome 141, Android 15" };
const HERE = { ...PROFILE, lastSignIn: LAST, lastSignInHere: { at: at(3) } };
const NEVER_HERE = { ...PROFILE, lastSignIn: LAST };

type Told = readonly [hour: number, event: ActivityEvent, more?: Partial<Listed>];

/** The news of events, newest first: their names, in order. */
function newsOf(events: readonly Told[], profile: CallResponse<"profile"> = HERE, answered?: number) {
  const listed = events.map(([hour, event, more]) => ({
    at: at(hour),
    event,
    deviceName: "Firefox 140, Windows 11",
    ...more,
  }));
  const news = signInNews({ events: listed }, profile, answered);
  return news && { acts: news.acts.map(({ event }) => event), refusals: news.refusals.length };
}

const OWN = { here: true, sameDevice: true };
const ELSEWHERE = { here: false, sameDevice: true };

it("[S164, F54] a break-in elsewhere is news: the sign-in, the tries before it, the changes", () => {
  const news = newsOf([
    [12, "signed-in", OWN],
    [9, "factor-removed", ELSEWHERE],
    [9, "factor-added", ELSEWHERE],
    [9, "password-changed", ELSEWHERE],
    [9, "document-downloaded", ELSEWHERE],
    [6, "device-trusted", ELSEWHERE],
    [6, "signed-in", ELSEWHERE],
    [5, "sign-in-refused", ELSEWHERE],
    [5, "sign-in-refused", ELSEWHERE],
    [3, "signed-in", OWN],
    [2, "signed-in", ELSEWHERE],
  ]);
  expect(news).toEqual({
    acts: ["factor-removed", "factor-added", "password-changed", "device-trusted", "signed-in"],
    refusals: 2,
  });
});

it("[S164, F54] a sign-in elsewhere while this session lasts is news at once", () => {
  const news = newsOf([
    [13, "signed-in", ELSEWHERE],
    [12, "signed-in", OWN],
  ]);
  expect(news?.acts).toEqual(["signed-in"]);
});

it("[F54] what this browser did, and its slips in the 15 minutes before, are no news", () => {
  const slip = (hour: number, minute: number): Told => [
    hour,
    "sign-in-refused",
    { ...OWN, at: at(hour, minute) },
  ];
  const quiet: readonly Told[] = [
    [13, "password-changed", OWN],
    [12, "device-trusted", OWN],
    [12, "signed-in", OWN],
    slip(11, 58),
    [8, "signed-in", OWN],
    slip(7, 46),
  ];
  expect(newsOf(quiet)).toBeUndefined();
  expect(newsOf([...quiet, slip(7, 45)])).toMatchObject({ refusals: 1 });
  expect(newsOf([...quiet, [7, "locked", OWN]])).toMatchObject({ refusals: 1 });
});

it("[S164, F54] an act of staff, who have no device of the customer, is news", () => {
  expect(newsOf([[9, "factor-removed", { here: false, deviceName: "" }]])?.acts).toEqual(["factor-removed"]);
});

it("[F54] an answer puts away what was before it; what nobody answered stays", () => {
  const events: readonly Told[] = [
    [12, "signed-in", OWN],
    [2, "signed-in", ELSEWHERE],
    [1, "signed-in", ELSEWHERE],
  ];
  expect(newsOf(events)).toBeUndefined();
  expect(newsOf(events, HERE, Date.parse(at(1)) - 1)?.acts).toHaveLength(2);
  expect(newsOf(events, HERE, Date.parse(at(1)))?.acts).toHaveLength(1);
  expect(newsOf(events, HERE, Date.parse(at(2)))).toBeUndefined();
});

it("[S164, F54] in a new browser the account's last sign-in is news, unless it was this device's", () => {
  const before = (more: Partial<Listed>): readonly Told[] => [
    [12, "signed-in", OWN],
    [6, "device-trusted", more],
    [6, "signed-in", more],
    [5, "signed-in", ELSEWHERE],
  ];
  expect(newsOf(before({ here: false, sameDevice: false }), NEVER_HERE)?.acts).toHaveLength(2);
  expect(newsOf(before(ELSEWHERE), NEVER_HERE)).toBeUndefined();
});

it("[F54] without `here`: new devices and refused tries between the last two sign-ins", () => {
  const news = newsOf(
    [
      [13, "sign-in-refused"],
      [12, "device-trusted"],
      [12, "signed-in"],
      [11, "sign-in-refused", { at: at(11, 50), sameDevice: true }],
      [11, "sign-in-refused", { at: at(11, 50), sameDevice: false }],
      [10, "sign-in-refused", { sameDevice: true }],
      [9, "password-changed"],
      [6, "device-trusted"],
      [6, "signed-in"],
      [5, "sign-in-refused"],
    ],
    NEVER_HERE,
  );
  expect(news).toEqual({ acts: ["device-trusted"], refusals: 2 });
});

it("[F54] the trusted device that the customer is using is no news", () => {
  const trustedDevices = [
    { id: "own", deviceName: "Firefox 140", trustedAt: at(6), expiresAt: "2026-02-13T06:00:00.000Z" },
  ];
  const own = { ...NEVER_HERE, trustedDevices, thisDevice: "own" };
  const trusted = (more: Partial<Listed>): readonly Told[] => [
    [12, "signed-in"],
    [6, "device-trusted", { deviceName: "Firefox 140", ...more }],
  ];
  expect(newsOf(trusted({}), own)).toBeUndefined();
  expect(newsOf(trusted({ at: at(7) }), own)?.acts).toHaveLength(1);
  expect(newsOf(trusted({ deviceName: "Safari 18" }), own)?.acts).toHaveLength(1);
});

it("[F54] if the backend doesn't say when the last sign-in was, nothing is said", () => {
  expect(newsOf([[11, "sign-in-refused"]], { ...PROFILE, lastSignIn: undefined })).toBeUndefined();
});
