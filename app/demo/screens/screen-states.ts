import type { Announcement } from "~/contract/announcements.server";
import type { Premium } from "~/contract/premium.server";
import type { Method, RequestOptions } from "~/contract/factors.server";
import type { CallName, CallResponse } from "~/contract/calls.server";
import type { NamedMemory } from "~/visit/flow.server";
import type { ActivityEvent, DocumentKind, Product } from "~/contract/customer-area.server";
import { isoDayInPoland } from "~/platform/time.server";
import { type FormDefinition, sampleValues } from "~/forms/form-definition";
import { MAIN_INTENT } from "~/forms/screen-form";
import { CODE_FIELD } from "~/journeys/kit/forms";
import type { FormsByMethod } from "~/journeys/kit/methods";

/** A backend's answer to one call. */
export interface ScriptedAnswer {
  readonly status: number;
  readonly body?: object;
}

/** The answers that differ from "done". */
type ScriptedAnswers = Readonly<Partial<Record<CallName, ScriptedAnswer>>>;

/**
 * A screen in one of its states: the visitor's cookies and form, and the backend's answers. All else is the portal
 * itself.
 */
export interface ScreenState {
  /** `screen` or `screen/state`, as in the gallery's addresses. */
  readonly id: string;
  /** Path and query of the screen. */
  readonly path: string;
  /** Whether cookies were accepted; yes, unless set. */
  readonly consent?: false;
  readonly session?: "pending" | "active";
  readonly flow?: NamedMemory;
  /** The form that was sent, if any. */
  readonly sent?: Readonly<Record<string, string>>;
  readonly answers?: ScriptedAnswers;
  /** The operators' announcement. */
  readonly announcement?: Announcement;
}

/** The states of one screen: a shared part, and additions for each. The unnamed state is the screen as first opened. */
export function statesOf(
  screen: string,
  shared: Omit<ScreenState, "id">,
  states: Readonly<Record<string, Partial<Omit<ScreenState, "id">>>> = {},
): readonly ScreenState[] {
  const others = Object.entries(states).map(([name, own]) => ({
    ...shared,
    ...own,
    id: `${screen}/${name}`,
  }));
  return [{ ...shared, id: screen }, ...others];
}

/** A catalogue refusal (specification §8). */
export function refusal(errorCode: string, facts: object = {}): ScriptedAnswer {
  return { status: 400, body: { errorCode, ...facts } };
}

/** The time when the gallery's codes were sent: always the same, so that screenshots can be compared, and never over. */
export const SENT_AT = Date.UTC(2099, 0, 15, 8, 5);

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

/** The sessions of the customer of the gallery. */
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

/** The second factors of the customer of the gallery: none. */
export const NO_FACTORS: CallResponse<"factors"> = {
  offered: ["app"],
  factors: [],
  recoveryCode: null,
  sms: true,
};

/** An authenticator app that the customer of the gallery is adding. Its secret opens nothing. */
export const PREPARED_APP: CallResponse<"appPrepare"> = {
  id: "gallery1",
  secret: "GALLERYSECRETGALLERYSECRET234567",
  uri: "otpauth://totp/Tarnea%20Ubezpieczenia:anna.nowak?secret=GALLERYSECRETGALLERYSECRET234567&issuer=Tarnea%20Ubezpieczenia&algorithm=SHA1&digits=6&period=30",
};

/** The gallery's challenge for a passkey that no device has. */
export const PASSKEY_OPTIONS: RequestOptions = {
  challenge: "Z2FsbGVyeS1nYWxsZXJ5LWdhbGxlcnktZ2FsbGVyeSE",
  rpId: "localhost",
  timeout: 300_000,
  allowCredentials: [{ id: "Z2FsbGVyeQ", type: "public-key", transports: ["internal"] }],
  userVerification: "preferred",
};

/** The options of a sign-in by any passkey. */
export const ANY_PASSKEY_OPTIONS: RequestOptions = {
  ...PASSKEY_OPTIONS,
  allowCredentials: [],
  userVerification: "required",
};

/** A passkey that the customer of the gallery is adding. */
export const PREPARED_PASSKEY: CallResponse<"passkeyPrepare"> = {
  id: "gallery1",
  options: {
    challenge: PASSKEY_OPTIONS.challenge,
    rp: { id: "localhost", name: "Tarnea Ubezpieczenia" },
    user: { id: "Z2FsbGVyeQ", name: "anna.nowak", displayName: "anna.nowak" },
    pubKeyCredParams: [{ type: "public-key", alg: -7 }],
    timeout: 300_000,
    attestation: "none",
  },
};

/** A recovery code that opens nothing. */
export const RECOVERY_CODE = "GALL-ERYC-ODEG-ALLE-RYCO-DE27";

/** Two apps, the second one used lately, and a recovery code. */
export const TWO_APPS: CallResponse<"factors"> = {
  ...NO_FACTORS,
  factors: [
    { id: "gallery1", kind: "app", name: "Aplikacja", addedAt: "2026-01-10T09:00:00.000Z", lastUsedAt: null },
    {
      id: "gallery2",
      kind: "app",
      name: "Tablet w domu",
      addedAt: "2026-01-12T19:30:00.000Z",
      lastUsedAt: "2026-01-14T18:05:00.000Z",
    },
  ],
  recoveryCode: { setAt: "2026-01-10T09:00:00.000Z" },
};

/** An app and two passkeys. */
export const WITH_PASSKEYS: CallResponse<"factors"> = {
  ...TWO_APPS,
  offered: ["app", "passkey"],
  factors: [
    ...TWO_APPS.factors.slice(0, 1),
    {
      id: "gallery2",
      kind: "passkey",
      name: "Chrome 141, Android 15",
      addedAt: "2026-01-12T19:30:00.000Z",
      lastUsedAt: "2026-01-14T18:05:00.000Z",
      discoverable: true,
      maker: "Google Password Manager",
    },
    {
      id: "gallery3",
      kind: "passkey",
      name: "Klucz USB",
      addedAt: "2026-01-13T19:30:00.000Z",
      lastUsedAt: null,
      discoverable: false,
    },
  ],
};

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

/** The activity list of the gallery, newest first. */
export const usualEvents = () =>
  eventsOf([
    "signed-in",
    "document-downloaded",
    "signed-in",
    "sign-in-refused",
    "password-changed",
    "device-trusted",
    "signed-in",
  ]);

/** An announcement of the gallery, with a number that can be dialled. It never ends. */
export const ANNOUNCEMENT: Announcement = {
  text: "W nocy z soboty na niedzielę, od 1:00 do 5:00, portal będzie niedostępny. Szkodę zgłosisz pod numerem 800\u00A0100\u00A0200.",
  textEn:
    "The portal will not be available on Sunday from 1am to 5am. To report a claim, call 800\u00A0100\u00A0200.",
  until: Date.UTC(2099, 11, 30, 8),
};

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

/** An amount with a transfer's details. Its days are counted from today. The account number is made up. */
export function premium({ due, paid, ...own }: PremiumDays & Partial<Premium>): Premium {
  const day = (days: number | undefined) => (days === undefined ? null : dayAway(days));
  return {
    amount: "129.00",
    currency: "PLN",
    dueOn: day(due),
    paidUntil: day(paid),
    account: "PL61109010140000071219812874",
    title: null,
    asOf: dayAway(-1),
    ...own,
  };
}

interface PremiumDays {
  readonly due?: number;
  readonly paid?: number;
}

const DAY_MS = 24 * 60 * 60 * 1000;

function dayAway(days: number): string {
  return isoDayInPoland(Date.now() + days * DAY_MS);
}

/** The policies of the gallery: one active, one that ends soon. */
export const usualPolicies = () => [
  policy("POL-100001", "Mieszkanie", { from: -100, to: 264 }),
  policy("POL-100011", "Samochód – OC i AC", { from: -350, to: 14 }, "car"),
];

/** The page of a policy, with a document of each kind. */
export function policyPage(
  shown: ReturnType<typeof policy> & { readonly premium?: Premium },
): CallResponse<"policy"> {
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

/** A new password that is easy to guess, as typed. */
export const WEAK_PASSWORDS = {
  authorizationCode: CODE_FIELD.sample,
  newPassword: "Warszawa1944!",
  newPasswordRepeat: "Warszawa1944!",
} as const;

/** Breaks as many rules of a new password as one form can. */
export const RULES_BROKEN_PASSWORDS = {
  authorizationCode: "12a456",
  newPassword: "za krótkie",
  newPasswordRepeat: "inne",
} as const;

/** A flow's memory of a code that was sent once. */
export const CODE_SENT = { codeSentAt: SENT_AT, resent: false } as const;

/** The same with a code whose time is over. */
export const CODE_ENDED_FLOW = { codeSentAt: Date.UTC(2026, 0, 15, 7, 47), resent: false } as const;

/** The same with the number that the code went to: after a right password or in a session. */
export const CODE_SENT_TO = { ...CODE_SENT, sentTo: "••• ••• 001" } as const;

/** The form's main button. */
export const CONFIRM = { intent: MAIN_INTENT } as const;

/** A screen on which a change is confirmed. `flow`: its flow's memory with the method. */
interface ConfirmedScreen {
  readonly path: string;
  readonly flow: (method: object) => NamedMemory;
  readonly forms: FormsByMethod<string>;
  /** The call that its main button makes. */
  readonly confirm: CallName;
  readonly answers?: ScriptedAnswers;
}

/** The states of such a screen for a customer without codes by SMS at sign-in. */
export function statesByMethod(
  screen: string,
  { path, flow, forms, confirm, answers }: ConfirmedScreen,
): readonly ScreenState[] {
  const begun = (method: Method) => ({
    path: `${path}?method=${method}`,
    flow: flow({ resent: false, methods: ["app", "passkey", "recovery"], method, ...ASKED_LATE }),
  });
  const wrong = (method: Method, sent: object = {}) => ({
    ...begun(method),
    sent: { ...sampleSent(forms[method]), method, ...sent },
    answers: { ...answers, [confirm]: refusal("007") },
  });
  const withoutSms = { factors: { status: 200, body: { ...WITH_PASSKEYS, sms: false } } };
  const [, ...states] = statesOf(
    screen,
    { path, session: "active", ...(answers && { answers }) },
    {
      "no-sms": { answers: { ...answers, ...withoutSms } },
      "by-app": begun("app"),
      "by-app-007": wrong("app"),
      "by-recovery": begun("recovery"),
      "by-recovery-007": wrong("recovery"),
      "by-passkey": begun("passkey"),
      "by-passkey-007": wrong("passkey"),
      "by-passkey-without-scripts": wrong("passkey", { response: "" }),
      "by-app-016": { ...wrong("app"), answers: { ...answers, [confirm]: refusal("016") } },
    },
  );
  return states;
}

/** The gallery's challenge for a passkey, which never expires. */
const ASKED_LATE = { options: PASSKEY_OPTIONS, askedAt: Date.UTC(2099, 11, 30, 8) };

/** A form as sent by its main button, with a sample in each field. */
export function sampleSent(form: FormDefinition): Readonly<Record<string, string>> {
  return { ...CONFIRM, ...sampleValues(form) };
}
