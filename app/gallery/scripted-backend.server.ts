import { CALLS, type CallName, type CallResponse } from "~/contract/calls.server";
import type { ActivityEvent, DocumentKind, Product } from "~/contract/customer-area.server";
import type { CallMessage } from "~/contract/messages.server";
import { isoDayInPoland } from "~/platform/time.server";
import type { Send } from "~/visit/backend-client/attached.server";
import type { ScreenState, ScriptedAnswer } from "./screen-state.server";

/** The customer of the gallery. */
export const PROFILE: CallResponse<"profile"> = {
  name: "Anna Nowak",
  username: "anna.nowak",
  documentPassword: false,
  trustedDevices: [
    {
      id: "00000000-0000-4000-8000-000000000001",
      deviceName: "Firefox 140, Windows 11",
      trustedAt: "2026-01-10T09:00:00.000Z",
      expiresAt: "2026-02-09T09:00:00.000Z",
    },
    {
      id: "00000000-0000-4000-8000-000000000002",
      deviceName: "Chrome 141, Android 15",
      trustedAt: "2026-01-12T19:30:00.000Z",
      expiresAt: "2026-02-11T19:30:00.000Z",
    },
  ],
  phone: "••• ••• 001",
  lastSignIn: { at: "2026-01-14T18:05:00.000Z", deviceName: "Chrome 141, Android 15" },
  thisDevice: "00000000-0000-4000-8000-000000000001",
};

/** Where the customer of the gallery is signed in. */
export const SESSIONS: CallResponse<"sessions">["sessions"] = [
  {
    id: "gallery1",
    deviceName: "Firefox 140, Windows 11",
    startedAt: "2026-01-15T07:52:00.000Z",
    lastSeenAt: "2026-01-15T08:05:00.000Z",
    current: true,
  },
  {
    id: "gallery2",
    deviceName: "Chrome 141, Android 15",
    startedAt: "2026-01-15T06:10:00.000Z",
    lastSeenAt: "2026-01-15T07:58:00.000Z",
    current: false,
  },
];

/** An event every seven hours, the newest first. */
export function eventsOf(events: readonly ActivityEvent[]): CallResponse<"activity">["events"] {
  const newest = Date.parse("2026-01-15T07:52:00.000Z");
  const devices = [...SESSIONS.map(({ deviceName }) => deviceName), "Safari 18, iOS 18.1"];
  return events.map((event, nth) => ({
    at: new Date(newest - nth * SEVEN_HOURS_MS).toISOString(),
    event,
    deviceName: devices[nth % devices.length] ?? "",
  }));
}

const SEVEN_HOURS_MS = 7 * 60 * 60 * 1000;

const usualEvents = () =>
  eventsOf([
    "signed-in",
    "document-downloaded",
    "signed-in",
    "sign-in-refused",
    "password-changed",
    "device-trusted",
    "signed-in",
  ]);

/** The answers for a customer with a document password. */
export const WITH_DOCUMENT_PASSWORD = {
  profile: { status: 200, body: { ...PROFILE, documentPassword: true } },
};

/** A policy of the gallery. Its days are counted from today, so that its state is always the same. */
export function policy(
  policyNo: string,
  name: string,
  { from, to }: { readonly from: number; readonly to: number },
  product: Product = "home",
) {
  const id = `gallery${policyNo.replace(/\D/g, "")}`;
  return { policyNo, name, validFrom: dayAway(from), validTo: dayAway(to), id, product };
}

const DAY_MS = 24 * 60 * 60 * 1000;

function dayAway(days: number): string {
  return isoDayInPoland(Date.now() + days * DAY_MS);
}

const usualPolicies = () => [
  policy("POL-100001", "Mieszkanie", { from: -100, to: 264 }),
  policy("POL-100011", "Samochód – OC i AC", { from: -350, to: 14 }, "car"),
];

/** The page of a policy, with a document of each kind. */
export function policyPage(shown: ReturnType<typeof policy>): CallResponse<"policy"> {
  const document = (id: string, kind: DocumentKind, name: string, daysAgo: number, bytes: number) => ({
    id,
    kind,
    name,
    issuedOn: dayAway(-daysAgo),
    bytes,
    protected: kind !== "terms",
  });
  return {
    ...shown,
    insured: PROFILE.name,
    documents: [
      document("gallery1", "confirmation", "Potwierdzenie ubezpieczenia", 0, 38_000),
      document("gallery2", "letter", "Przypomnienie o racie składki", 20, 52_400),
      document("gallery3", "policy", "Polisa ubezpieczenia mieszkania", 102, 214_000),
      document("gallery4", "terms", "Ogólne warunki ubezpieczenia mieszkań", 300, 1_240_000),
    ],
  };
}

/** A backend that knows one customer, gives the state's answers, and does nothing. */
export function scriptedBackend({ session, answers = {} }: ScreenState): Send {
  return (call) => {
    const name = nameOf(call);
    const answer = (name && answers[name]) ?? usual(name, session);
    const body = answer.body === undefined ? "" : JSON.stringify(answer.body);
    return Promise.resolve({ status: answer.status, headers: {}, setCookies: [], body });
  };
}

function usual(name: CallName | undefined, session: ScreenState["session"]): ScriptedAnswer {
  switch (name) {
    case "userInfo":
      return session ? done({ name: PROFILE.name, username: PROFILE.username }) : { status: 401 };
    case "userInit":
      return session === "active" ? done({}) : { status: session ? 409 : 401 };
    case "policies":
      return done({ policies: usualPolicies() });
    case "policy":
      return done(policyPage(policy("POL-100001", "Mieszkanie", { from: -100, to: 264 })));
    case "profile":
      return done(PROFILE);
    case "sessions":
      return done({ sessions: SESSIONS });
    case "activity":
      return done({ events: usualEvents() });
    default:
      return name && CALLS[name].method === "DELETE" ? { status: 204 } : done({});
  }
}

function done(body: object): ScriptedAnswer {
  return { status: 200, body };
}

function nameOf({ method, path }: CallMessage): CallName | undefined {
  return NAMES.find((name) => CALLS[name].method === method && PATHS[name].test(path));
}

const NAMES = Object.keys(CALLS) as CallName[];
const PATHS = Object.fromEntries(
  NAMES.map((name) => [name, new RegExp(`^${CALLS[name].path.replaceAll(/\{\w+\}/g, "[^/]+")}$`)]),
) as Readonly<Record<CallName, RegExp>>;
