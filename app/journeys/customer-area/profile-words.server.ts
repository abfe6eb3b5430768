import type { CallResponse } from "~/contract/calls.server";
import type { ActivityEvent } from "~/contract/customer-area.server";
import { type Translate, words } from "~/i18n/texts.server";
import { dayInPoland, momentInPoland } from "~/i18n/times.server";
import { readableDeviceName } from "~/visit/browser.server";
import type { ActivityRow } from "./profile-activity";
import type { DeviceRow, DeviceRows } from "./profile-devices";
import { shownFactorName } from "../kit/ways.server";
import { activityAddress, FACTORS_ID } from "./profile-address";

/** Most rows of a list. An insurer's own backend may send any number. */
const MOST_ROWS = 50;
/** How many rows are open; the others are folded away. */
const OPEN_ROWS = 5;
/** How many events are shown at first. */
const FIRST_EVENTS = 10;

/** Events that strangers can cause. They are marked, so that customers look twice. */
const REFUSALS: ReadonlySet<ActivityEvent> = new Set(["sign-in-refused", "locked"]);

/** The words of all sections except the activity. */
export const profileWords = (t: Translate) =>
  words(t, {
    header: "cp:profile.header",
    access: "cp:profile.access",
    username: "cp:profile.username",
    usernameAction: "cp:profile.usernameAction",
    password: "cp:profile.password",
    passwordAction: "cp:profile.passwordAction",
    documentPassword: "cp:profile.docPassword",
    phone: "cp:profile.phone",
    phoneChanged: "common:phone.changed",
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
  });

/** How sign-ins are confirmed: the SMS, each app, the recovery code. */
export function factorSection(t: Translate, list: CallResponse<"factors">, phone: string | undefined) {
  const { factors, recoveryCode, sms } = list;
  const hasFactors = factors.length > 0;
  const apps = factors.slice(0, MOST_ROWS).map(({ id, name, addedAt, lastUsedAt }) => ({
    key: id,
    name: shownFactorName(name),
    facts:
      lastUsedAt === null
        ? t("factors:list.added", { day: dayInPoland(t, addedAt) })
        : t("factors:list.used", { day: dayInPoland(t, addedAt), moment: momentInPoland(t, lastUsedAt) }),
    button: {
      href: `/home/remove-factor?${new URLSearchParams({ id }).toString()}`,
      text: t("factors:list.remove"),
      of: shownFactorName(name),
    },
  }));
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
  const recoveryRow = {
    key: "recovery",
    name: t("factors:list.recovery"),
    facts: recoveryCode
      ? t("factors:list.recoverySet", { day: dayInPoland(t, recoveryCode.setAt) })
      : t("factors:list.recoveryNone"),
    button: {
      href: "/home/recovery-code",
      text: t("factors:list.recoveryNew"),
      of: t("factors:list.recovery"),
    },
  };
  return {
    id: FACTORS_ID,
    header: t("factors:list.header"),
    lead: t("factors:list.lead"),
    rows: [smsRow, ...apps, ...(hasFactors ? [recoveryRow] : [])],
    add: list.offered.includes("app") ? { href: "/home/add-app", text: t("factors:list.add") } : undefined,
  };
}

/** The previous sign-in, in a sentence. */
export function lastSignInOf(t: Translate, { lastSignIn }: CallResponse<"profile">): string | undefined {
  if (!lastSignIn) return undefined;
  const { at, deviceName } = lastSignIn;
  return t("cp:profile.lastSignIn", {
    moment: momentInPoland(t, at),
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

/** Where the customer is signed in, this device first. */
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
    .flatMap(({ at, event, deviceName }) => (event ? [eventRow(t, { at, event, deviceName })] : []))
    .slice(0, MOST_ROWS);
  const text = all ? t("cp:profile.activityFewer") : t("cp:profile.activityAll", { number: rows.length });
  return {
    rows: all ? rows : rows.slice(0, FIRST_EVENTS),
    link: rows.length > FIRST_EVENTS ? { href: activityAddress(!all), text } : undefined,
  };
}

function eventRow(
  t: Translate,
  {
    at,
    event,
    deviceName,
  }: { readonly at: string; readonly event: ActivityEvent; readonly deviceName: string },
): ActivityRow {
  return {
    text: t(`cp:profile.event.${event}`),
    isRefusal: REFUSALS.has(event),
    moment: momentInPoland(t, at),
    device:
      deviceName.trim() === ""
        ? t("cp:profile.activityDeviceUnknown")
        : t("cp:profile.activityDevice", { device: readableDeviceName(t, deviceName) }),
  };
}
