import type { CallResponse } from "~/contract/calls.server";
import { type ActivityEvent, detailOf } from "~/contract/customer-area.server";
import { type Translate, words } from "~/i18n/texts.server";
import { clockTimeInPoland, dayInPoland, momentInPoland } from "~/i18n/times.server";
import { isoDayInPoland } from "~/platform/time.server";
import type { Offered } from "~/visit/visit.server";
import { readableDeviceName } from "~/visit/browser.server";
import type { ActivityRow } from "./profile-activity";
import type { DeviceRow, DeviceRows } from "./profile-devices";
import { shownFactorName } from "../kit/steps";
import { activityAddress } from "./profile-address";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The most rows that a list shows. An insurer's own backend may send any number. */
const MOST_ROWS = 50;
/** The number of rows in sight; the others are folded away. */
const OPEN_ROWS = 5;
/** The number of events shown at first. */
const FIRST_EVENTS = 10;

/** Refused tries, which others can cause. They are marked, so that customers look twice. */
export const REFUSALS: ReadonlySet<ActivityEvent> = new Set(["sign-in-refused", "locked", "factor-guessed"]);

/** The words of all sections except the activity. */
export const profileWords = (t: Translate) =>
  words(t, {
    header: "cp:profile.header",
    access: "cp:profile.access",
    change: "cp:profile.change",
    username: "cp:profile.username",
    ofUsername: "cp:profile.ofUsername",
    password: "cp:profile.password",
    ofPassword: "cp:profile.ofPassword",
    documentPassword: "cp:profile.docPassword",
    ofDocumentPassword: "cp:profile.ofDocPassword",
    phone: "cp:profile.phone",
    phoneAsk: "cp:profile.phoneAsk",
    phoneChanged: "cp:profile.phoneHow",
    notMe: "cp:profile.notMe",
    thisDevice: "cp:profile.thisDevice",
    devices: "cp:profile.devices",
    devicesText: "cp:profile.devicesText",
    devicesNone: "cp:profile.devicesNone",
    remove: "cp:profile.deviceRemove",
    removeAll: "cp:profile.devicesRemoveAll",
    sessions: "cp:profile.sessions",
    sessionsText: "cp:profile.sessionsText",
    endSession: "cp:profile.sessionEnd",
    endOthers: "cp:profile.sessionsEndOthers",
    factors: "factors:list.header",
    unavailable: "cp:profile.unavailable",
  });

/** The words of the activity. */
export const activityWords = (t: Translate) =>
  words(t, {
    header: "cp:profile.activity",
    lead: "cp:profile.activityText",
    none: "cp:profile.activityNone",
    notMe: "cp:profile.notMe",
  });

/** Each app and passkey, and the recovery code. Rows of one name say more for screen readers, too. */
export function addedFactors(t: Translate, { factors, recoveryCode }: CallResponse<"factors">) {
  const names = factors.map(({ name }) => shownFactorName(name));
  const added = factors.slice(0, MOST_ROWS).map((factor, nth) => {
    const name = shownFactorName(factor.name);
    const facts = factorFacts(t, factor);
    const isOnly = names.every((other, at) => at === nth || other !== name);
    return {
      key: factor.id,
      name,
      facts,
      button: {
        href: `/home/remove-factor?${new URLSearchParams({ id: factor.id }).toString()}`,
        text: t("factors:list.remove"),
        of: isOnly ? name : `${name}. ${facts}`,
      },
    };
  });
  return factors.length > 0 ? [...added, recoveryRow(t, recoveryCode)] : added;
}

function factorFacts(
  t: Translate,
  { kind, addedAt, lastUsedAt }: CallResponse<"factors">["factors"][number],
): string {
  const day = dayInPoland(t, addedAt);
  const used =
    lastUsedAt === null
      ? t("factors:list.added", { day })
      : t("factors:list.used", { day, moment: momentInPoland(t, lastUsedAt) });
  return `${t(kind === "passkey" ? "factors:list.passkey" : "factors:list.app")}. ${used}`;
}

function recoveryRow(t: Translate, recoveryCode: CallResponse<"factors">["recoveryCode"]) {
  return {
    key: "recovery",
    name: t("factors:list.recovery"),
    facts: recoveryCode
      ? [
          t("factors:list.recoverySet", { day: dayInPoland(t, recoveryCode.setAt) }),
          ...(recoveryCode.kept === false ? [t("factors:list.recoveryUnsaved")] : []),
        ].join(" ")
      : t("factors:list.recoveryNone"),
    button: {
      href: "/home/recovery-code",
      text: t("factors:list.recoveryNew"),
      of: t("factors:list.recovery"),
    },
  };
}

/** The ways to confirm a sign-in: the SMS, each app and passkey, the recovery code. */
export function factorSection(t: Translate, list: CallResponse<"factors">, phone: string | undefined) {
  const { factors, sms } = list;
  const hasFactors = factors.length > 0;
  const smsRow = {
    key: "sms",
    name: t("factors:list.sms"),
    facts: [
      t(sms ? "factors:list.smsOn" : "factors:list.smsOff"),
      ...(phone === undefined ? [] : [phone]),
    ].join(", "),
    button: hasFactors
      ? {
          href: "/home/sms-at-sign-in",
          text: t(sms ? "factors:list.turnOff" : "factors:list.turnOn"),
          of: t("factors:list.sms"),
        }
      : undefined,
  };
  return {
    lead: t("factors:list.lead"),
    rows: [smsRow, ...addedFactors(t, list)],
    add: [
      ...(list.offered.includes("app") ? [{ href: "/home/add-app", text: t("factors:list.add") }] : []),
      ...(list.offered.includes("passkey")
        ? [{ href: "/home/add-passkey", text: t("factors:list.addPasskey") }]
        : []),
    ],
  };
}

/** The data that My Data has loaded. An optional list may be missing. */
interface Loaded {
  readonly profile: CallResponse<"profile">;
  readonly sessions: Offered<CallResponse<"sessions">>;
  readonly activity: Offered<CallResponse<"activity">>;
  readonly factors: Offered<CallResponse<"factors">>;
}

/** The content of each part that opens, in a few words. */
export function sumsOf(t: Translate, { profile, sessions, activity, factors }: Loaded) {
  const newest = typeof activity === "object" ? activity.events[0] : undefined;
  return {
    factors: typeof factors === "object" ? sumOfFactors(t, factors) : undefined,
    devices: countOfDevices(t, profile.trustedDevices.length),
    sessions: typeof sessions === "object" ? countOfDevices(t, sessions.sessions.length) : undefined,
    activity: newest && t("cp:profile.sum.activity", { moment: nearMoment(t, newest.at) }),
  };
}

function countOfDevices(t: Translate, count: number): string {
  return count === 0 ? t("cp:profile.sum.none") : t("cp:profile.sum.devices", { count });
}

function sumOfFactors(t: Translate, { factors, sms }: CallResponse<"factors">): string {
  const passkeys = factors.filter(({ kind }) => kind === "passkey").length;
  const apps = factors.length - passkeys;
  return [
    ...(sms ? [t("factors:list.sms")] : []),
    ...(apps > 0 ? [t("factors:list.apps", { count: apps })] : []),
    ...(passkeys > 0 ? [t("factors:list.passkeys", { count: passkeys })] : []),
  ].join(", ");
}

/** A moment, in everyday words if it is recent: "dziś 4:09", "wczoraj 18:05". */
export function nearMoment(t: Translate, iso: string): string {
  const time = clockTimeInPoland(t, Date.parse(iso));
  switch (isoDayInPoland(Date.parse(iso))) {
    case isoDayInPoland(Date.now()):
      return t("cp:profile.today", { time });
    case isoDayInPoland(Date.now() - DAY_MS):
      return t("cp:profile.yesterday", { time });
    default:
      return momentInPoland(t, iso);
  }
}

/** A new number that isn't in use yet, in a sentence. */
export function newPhoneOf(t: Translate, { newPhone }: CallResponse<"profile">): string | undefined {
  return (
    newPhone && t("cp:profile.newPhone", { number: newPhone.phone, moment: momentInPoland(t, newPhone.from) })
  );
}

/** The previous sign-in, in a sentence. */
export function lastSignInOf(t: Translate, { lastSignIn }: CallResponse<"profile">): string | undefined {
  if (!lastSignIn) return undefined;
  const { at, deviceName } = lastSignIn;
  return t("cp:profile.lastSignIn", {
    moment: nearMoment(t, at),
    device: readableDeviceName(t, deviceName),
  });
}

/** The trusted devices, this one first. */
export function trustedDevices(
  t: Translate,
  { trustedDevices, thisDevice }: CallResponse<"profile">,
): DeviceRows {
  const rows = trustedDevices.map(({ id, deviceName, trustedAt, expiresAt }) => ({
    id,
    name: readableDeviceName(t, deviceName),
    isThis: id === thisDevice,
    facts: [
      t("cp:profile.deviceSince", {
        from: dayInPoland(t, trustedAt),
        to: dayInPoland(t, expiresAt),
      }),
    ],
  }));
  return thisFirst(t, rows);
}

/** The devices on which the customer is signed in, this one first. */
export function sessionRows(t: Translate, { sessions }: CallResponse<"sessions">): DeviceRows {
  const rows = sessions.map(({ id, deviceName, startedAt, lastSeenAt, current }) => ({
    id,
    name: readableDeviceName(t, deviceName),
    isThis: current,
    facts: [
      t("cp:profile.sessionSince", { moment: momentInPoland(t, startedAt) }),
      // The current session is in use right now.
      ...(current ? [] : [t("cp:profile.sessionSeen", { moment: momentInPoland(t, lastSeenAt) })]),
    ],
  }));
  return thisFirst(t, rows);
}

function thisFirst(t: Translate, all: readonly Omit<DeviceRow, "nameInButton">[]): DeviceRows {
  const named = all.map((row) => {
    const isOnly = all.every(({ id, name }) => id === row.id || name !== row.name);
    return { ...row, nameInButton: [row.name, ...(isOnly ? [] : row.facts.slice(0, 1))].join(". ") };
  });
  const rows = [...named.filter(({ isThis }) => isThis), ...named.filter(({ isThis }) => !isThis)];
  const shown = rows.slice(0, MOST_ROWS);
  const folded = shown.slice(OPEN_ROWS);
  return {
    open: shown.slice(0, OPEN_ROWS),
    folded,
    foldedTitle: t("cp:profile.more", { number: folded.length }),
    partly:
      rows.length > shown.length
        ? t("cp:profile.partly", { shown: shown.length, all: rows.length })
        : undefined,
  };
}

/** The newest events in words, or all of them, and the link to the other list. */
export function lastEvents(t: Translate, { events }: CallResponse<"activity">, all: boolean) {
  const rows = events
    .flatMap(({ event, ...rest }) => (event ? [eventRow(t, { event, ...rest })] : []))
    .slice(0, MOST_ROWS);
  const text = all ? t("cp:profile.activityFewer") : t("cp:profile.activityAll", { number: rows.length });
  return {
    rows: all ? rows : rows.slice(0, FIRST_EVENTS),
    link: rows.length > FIRST_EVENTS ? { href: activityAddress(!all), text } : undefined,
  };
}

type ShownEvent = CallResponse<"activity">["events"][number] & { readonly event: ActivityEvent };

function eventRow(t: Translate, { at, event, deviceName, detail: sent }: ShownEvent): ActivityRow {
  const detail = detailOf(event, sent);
  return {
    text: detail ? t(`cp:profile.eventOf.${detail}`) : t(`cp:profile.event.${event}`),
    isRefusal: REFUSALS.has(event),
    moment: momentInPoland(t, at),
    device:
      deviceName.trim() === ""
        ? t("cp:profile.activityDeviceUnknown")
        : t("cp:profile.activityDevice", { device: readableDeviceName(t, deviceName) }),
  };
}
