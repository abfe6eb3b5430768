import { zonedTimeInPoland as at } from "~/platform/time.server";
import type { AccountOverview } from "../../services/support/overview.server";
import type { AccountState, CustomerKind } from "../../store/tables.server";
import { counted } from "../kit/counted.server";
import { THINGS } from "./acts-in-words.server";

const STATES: Readonly<Record<AccountState, string>> = {
  active: "active: the customer can sign in",
  locked: "locked by a person: `account unlock` lifts it",
  expired: "expired: the customer can't sign in until `account enable`",
  disabled: "disabled: the customer can't sign in until `account enable`",
};

const KINDS: Readonly<Record<CustomerKind, string>> = {
  individual: "a person with a PESEL",
  "no-id": "a person without a PESEL",
  company: "a company",
};

const PLACES: Readonly<Record<AccountOverview["tries"][number]["where"], string>> = {
  "unknown-browsers": "in browsers that the account doesn't know",
  "known-browser": "in a known browser",
  "trusted-device": "on a trusted device",
};

const WIDTH = 20;

/** An overview for a help desk: one fact per line, in Polish time. */
export function overviewInWords(shown: AccountOverview): readonly string[] {
  const { policies, documentPasswordSetAt, lastSignIn } = shown;
  return [
    line("Account", shown.account),
    line("Customer", KINDS[shown.customerKind]),
    line("State", STATES[shown.state]),
    ...list("Wrong passwords", shown.tries.map(triesInWords)),
    line("Username", shown.username),
    line("Phone", shown.phone),
    line("Registered", at(shown.registeredAt)),
    line("Policies", `${policies.all}, ${policies.validToday} of them valid today`),
    line("Document password", documentPasswordSetAt ? `set ${at(documentPasswordSetAt)}` : "none"),
    line("Last sign-in", lastSignIn ? `${at(lastSignIn.at)}, ${nameOf(lastSignIn)}` : "none lately"),
    ...list("Sessions", shown.sessions.map(sessionInWords)),
    ...list(
      "Trusted devices",
      shown.trustedDevices.map((device) => `${nameOf(device)}, until ${at(device.until)}`),
    ),
    line("Known browsers", String(shown.knownBrowsers)),
    ...list(
      "Caps used up",
      shown.usedUpCaps.map(({ of, until }) => `${THINGS[of]}, until ${at(until)}`),
    ),
    ...list(
      "Last events",
      shown.events.map(({ at: when, event, deviceName }) =>
        [`${at(when)}  ${event}`, ...(deviceName === "" ? [] : [deviceName])].join(", "),
      ),
    ),
  ];
}

function triesInWords({ where, deviceName, tries, lockedUntil }: AccountOverview["tries"][number]): string {
  const place = deviceName === undefined ? PLACES[where] : `${PLACES[where]} (${deviceName})`;
  const locked = lockedUntil ? `; locked until ${at(lockedUntil)}` : "";
  return `${counted(tries, "try", "tries")} ${place}${locked}`;
}

function sessionInWords(session: AccountOverview["sessions"][number]): string {
  const state = session.state === "pending" ? "waits for a code" : "active";
  return `${nameOf(session)}, ${state}, since ${at(session.startedAt)}, last seen ${at(session.lastSeenAt)}`;
}

function nameOf({ deviceName }: { readonly deviceName: string }): string {
  return deviceName === "" ? "unknown device" : deviceName;
}

function list(name: string, facts: readonly string[]): readonly string[] {
  if (facts.length === 0) return [line(name, "none")];
  return facts.map((fact, index) => line(index === 0 ? name : "", fact));
}

function line(name: string, fact: string): string {
  return name.padEnd(WIDTH) + fact;
}
