import { ACTIVITY_EVENTS, type ActivityEvent, PRODUCTS, WITHOUT_END } from "~/contract/customer-area.server";
import {
  ANNOUNCEMENT,
  CONFIRM,
  eventsOf,
  policy,
  policyPage,
  premium,
  PROFILE,
  SESSIONS,
  statesOf,
  TWO_APPS,
  WITH_DOCUMENT_PASSWORD,
  NO_FACTORS,
  WITH_PASSKEYS,
} from "./screen-states";
import { afterSignIn } from "~/journeys/kit/notice";
import { passwordChangedNotice, withLookAround } from "~/journeys/kit/password-advice";
import { inFlow, noticeFlow } from "~/visit/flow.server";
import {
  DEVICES_REMOVED,
  DEVICE_REMOVED,
  OTHER_SESSIONS_ENDED,
  SESSION_ENDED,
  SESSION_GONE,
} from "~/journeys/customer-area/profile-changes";

const session = "active";
const LONG = "Konstantynopolitańczykowianeczka-Brzęczyszczykiewicz";
const LONG_POLICY = policy(
  "POL-12345678901234567890",
  "Ubezpieczenie odpowiedzialności cywilnej posiadaczy pojazdów mechanicznych wraz z autocasco i pomocą w drodze",
  { from: -100, to: 264 },
  "car",
);
const longNames = {
  userInfo: {
    status: 200,
    body: { name: `Maria Magdalena ${LONG}`, username: `maria.magdalena.${LONG.slice(0, 34)}` },
  },
  policies: { status: 200, body: { policies: [LONG_POLICY] } },
  policy: { status: 200, body: longPage() },
};

function longPage() {
  const page = policyPage(LONG_POLICY);
  const documents = page.documents.map((document) => ({ ...document, name: `${document.name} ${LONG}` }));
  return { ...page, insured: `Maria Magdalena ${LONG}`, documents };
}

/** One policy in each state, and one on its last day. */
const EACH_STATE = [
  policy("POL-500001", "Mieszkanie", { from: -100, to: 264 }),
  policy("POL-500002", "Samochód – OC i AC", { from: -350, to: 14 }, "car"),
  policy("POL-500003", "Podróż", { from: -10, to: 0 }, "travel"),
  policy("POL-500004", "Dom w budowie", { from: 20, to: 384 }),
  policy("POL-500005", "Rower", { from: -500, to: -136 }, "other"),
  policy("POL-500006", "Narty", { from: -40, to: -20 }, "travel"),
];
const FORTY = Array.from({ length: 40 }, (_, nth) =>
  policy(`POL-6${String(nth).padStart(5, "0")}`, `Mieszkanie ${nth + 1}`, {
    from: nth * 20 - 600,
    to: nth * 20 - 236,
  }),
);
const PRODUCT_NAMES = {
  home: "Dom",
  car: "Samochód",
  travel: "Podróż",
  life: "Życie",
  health: "Zdrowie",
  business: "Firma",
  other: "Rower",
} as const;
const EACH_PRODUCT = PRODUCTS.map((product, nth) =>
  policy(`POL-70000${nth + 1}`, PRODUCT_NAMES[product], { from: -100, to: 264 + nth }, product),
);
const having = (policies: readonly object[]) => ({ policies: { status: 200, body: { policies } } });
/** As sent by a backend that has no page for a policy. */
const withoutId = ({ id: _id, product: _product, ...listed }: ReturnType<typeof policy>) => listed;

/** The page of a policy in one of its states, for a customer with a document password. */
const onPage = (days: { readonly from: number; readonly to: number }, documents?: readonly never[]) => {
  const page = policyPage(policy("POL-100001", "Mieszkanie", days));
  const body = documents === undefined ? page : { ...page, documents };
  return { answers: { ...WITH_DOCUMENT_PASSWORD, policy: { status: 200, body } } };
};
const ACTIVE = { from: -100, to: 264 };

/** The premium in each of its states. */
const OVERDUE = premium({ due: -3 });
const DUE = premium({ due: 12, paid: -20 });
const LATER = premium({ due: 40 });
const PAID = premium({ paid: 160 });
const LARGE = premium({ due: 5, amount: "1234567.89", title: `Składka ${LONG}`.slice(0, 105) });
const EURO = premium({ due: 5, currency: "EUR", account: "DE89370400440532013000" });
const WITHOUT_ACCOUNT = premium({ due: 5, account: null });

/** One policy for each state of a premium, in an order that the page changes; the last one has ended with a debt. */
const EACH_PREMIUM = [
  policy("POL-800001", "Bez składki", ACTIVE),
  { ...policy("POL-800002", "Rower", ACTIVE, "other"), premium: LATER },
  { ...policy("POL-800003", "Mieszkanie", ACTIVE), premium: PAID },
  { ...policy("POL-800004", "Samochód – OC i AC", { from: -350, to: 14 }, "car"), premium: DUE },
  { ...policy("POL-800005", "Życie", ACTIVE, "life"), premium: OVERDUE },
  { ...policy("POL-800006", "Firma", ACTIVE, "business"), premium: LARGE },
  { ...policy("POL-800007", "Podróż", { from: 20, to: 40 }, "travel"), premium: WITHOUT_ACCOUNT },
  { ...policy("POL-800008", "Narty", { from: -400, to: -36 }, "travel"), premium: premium({ due: -90 }) },
];

const OVERDUE_AND_DUE = [
  {
    ...policy("POL-100001", "Škoda Octavia – OC i AC", ACTIVE, "car"),
    premium: premium({ due: -5, amount: "189.00" }),
  },
  {
    ...policy("POL-100002", "Mieszkanie", ACTIVE),
    premium: premium({ due: 7, amount: "74.20", account: null }),
  },
];

/** The page of a policy of a car with this premium, for a customer with a document password. */
const withPremium = (shown: ReturnType<typeof premium>, days: { from: number; to: number } = ACTIVE) => ({
  answers: {
    ...WITH_DOCUMENT_PASSWORD,
    policy: {
      status: 200,
      body: policyPage({ ...policy("POL-100001", "Škoda Octavia – OC i AC", days, "car"), premium: shown }),
    },
  },
});

/** The optional fields of a profile, as the gallery's backend sends them. */
const { phone, lastSignIn, thisDevice, ...REQUIRED } = PROFILE;
const OPTIONAL = { phone, lastSignIn, thisDevice };
const MISSING = { status: 404, body: {} };
const BUSY = { status: 503, body: { errorCode: "busy", retryAfterSeconds: 60 } };
const NO_DEVICES = { profile: { status: 200, body: { ...PROFILE, trustedDevices: [] } } };
const MANY_EVENTS = Array.from({ length: 6 }, () => eventsOf(ACTIVITY_EVENTS)).flat();
const profile = (known: object) => ({ status: 200, body: { ...REQUIRED, ...known } });
const sessions = (listed: readonly object[]) => ({ status: 200, body: { sessions: listed } });
const activity = (events: readonly object[]) => ({ status: 200, body: { events } });
const manySessions = (most: number) =>
  Array.from({ length: most }, (_, nth) => ({ ...SESSIONS[nth === 0 ? 0 : 1], id: `gallery${nth}` }));
const manyDevices = (most: number) =>
  Array.from({ length: most }, (_, nth) => ({ ...PROFILE.trustedDevices[0], id: `gallery${nth}` }));

/** What others did since the oldest of these events; the newest is this session's sign-in. */
function newsOf(events: readonly ActivityEvent[]) {
  const listed = eventsOf(["signed-in", ...events]).map((event, nth) => ({
    ...event,
    here: nth === 0,
    ...(event.event === "signed-in" && { way: "sms" }),
  }));
  const lastSignInHere = { at: listed.at(-1)?.at };
  return { profile: profile({ ...OPTIONAL, lastSignInHere }), activity: activity(listed) };
}
const NEWS = newsOf(["device-trusted", "signed-in", "sign-in-refused", "sign-in-refused"]);

/** Answers in which every device has this name. */
function devicesCalled(deviceName: string) {
  const renamed = <Row extends object>(rows: readonly Row[]) => rows.map((row) => ({ ...row, deviceName }));
  return {
    profile: profile({
      ...OPTIONAL,
      lastSignIn: { ...lastSignIn, deviceName },
      trustedDevices: renamed(PROFILE.trustedDevices),
    }),
    sessions: sessions(renamed(SESSIONS)),
    activity: activity(renamed(eventsOf(ACTIVITY_EVENTS))),
  };
}

/** The longest possible name, with and without spaces. */
const longDevices = () => devicesCalled(`Samsung Internet for Android 27, ${LONG}${LONG}`.slice(0, 100));

/** A number that waits. A gallery's page must look the same every day. */
const NEW_PHONE = {
  profile: profile({ ...OPTIONAL, newPhone: { phone: "••• ••• 555", from: "2099-12-30T08:01:00.000Z" } }),
};

/** Factors of a customer who hasn't written the recovery code down. */
const UNSAVED_CODE = {
  factors: {
    status: 200,
    body: { ...TWO_APPS, recoveryCode: { setAt: "2026-01-10T09:00:00.000Z", kept: false } },
  },
};

/** The states of the customer area's screens. */
export const CUSTOMER_AREA_STATES = [
  ...statesOf(
    "policies",
    { path: "/cp", session },
    {
      none: { answers: having([]) },
      announcement: { announcement: ANNOUNCEMENT },
      "each-state": { answers: having(EACH_STATE) },
      one: { answers: having([policy("POL-500001", "Mieszkanie", { from: -350, to: 14 })]) },
      many: { answers: having(FORTY) },
      found: { path: "/cp?q=mieszkanie+4", answers: having(FORTY) },
      "nothing-found": { path: "/cp?q=samolot", answers: having(FORTY) },
      "each-product": { answers: having(EACH_PRODUCT) },
      "each-premium": { answers: having(EACH_PREMIUM) },
      endless: {
        answers: having([{ ...policy("POL-500007", "Życie", ACTIVE, "life"), validTo: WITHOUT_END }]),
      },
      "premium-overdue": { answers: having(OVERDUE_AND_DUE) },
      "premium-due": { answers: having(OVERDUE_AND_DUE.slice(1)) },
      "premium-later": { answers: having(EACH_PREMIUM.slice(1, 3)) },
      "premium-paid": { answers: having(EACH_PREMIUM.slice(2, 3)) },
      "without-ids": { answers: having(EACH_STATE.map(withoutId)) },
      "long-names": { answers: longNames },
      news: { answers: NEWS },
      "unsaved-code": { flow: inFlow(noticeFlow, afterSignIn()), answers: UNSAVED_CODE },
      "passkey-offered": {
        flow: inFlow(noticeFlow, afterSignIn()),
        answers: { factors: { status: 200, body: { ...NO_FACTORS, offered: ["app", "passkey"] } } },
      },
    },
  ),
  ...statesOf(
    "policy",
    { path: "/cp/policy/gallery100001", session, answers: WITH_DOCUMENT_PASSWORD },
    {
      "no-document-password": { answers: {} },
      "no-documents": onPage(ACTIVE, []),
      upcoming: onPage({ from: 20, to: 384 }),
      ending: onPage({ from: -350, to: 14 }),
      ended: onPage({ from: -500, to: -136 }),
      "ended-lately": onPage({ from: -380, to: -16 }),
      "premium-due": withPremium(DUE),
      "premium-overdue": withPremium(OVERDUE),
      "premium-paid": withPremium(PAID),
      "premium-without-way": withPremium(WITHOUT_ACCOUNT),
      "long-names": { answers: { ...WITH_DOCUMENT_PASSWORD, ...longNames } },
    },
  ),
  ...statesOf(
    "payment",
    { path: "/cp/policy/gallery100001/payment", session, ...withPremium(DUE) },
    {
      overdue: withPremium(OVERDUE),
      paid: withPremium(PAID),
      "without-code": withPremium(LARGE),
      euro: withPremium(EURO),
      "without-account": withPremium(WITHOUT_ACCOUNT),
    },
  ),
  ...statesOf(
    "proof-of-cover",
    { path: "/cp/policy/gallery100001/proof", session, ...withPremium(DUE) },
    {
      ended: withPremium(PAID, { from: -500, to: -136 }),
      "long-names": { answers: longNames },
    },
  ),
  ...statesOf(
    "profile",
    { path: "/cp/profile", session },
    {
      "no-devices": { answers: NO_DEVICES },
      "document-password-created": {
        path: "/cp/profile?document-password-save-result=create",
        answers: WITH_DOCUMENT_PASSWORD,
      },
      "two-apps": { answers: { factors: { status: 200, body: TWO_APPS } } },
      "app-and-passkeys": { answers: { factors: { status: 200, body: WITH_PASSKEYS } } },
      "sms-off": { answers: { factors: { status: 200, body: { ...TWO_APPS, sms: false } } } },
      "factor-added": {
        path: "/cp/profile?factor-save-result=added",
        answers: { factors: { status: 200, body: TWO_APPS } },
      },
      "unsaved-code": { answers: UNSAVED_CODE },
      secured: { flow: inFlow(noticeFlow, withLookAround(passwordChangedNotice())), answers: UNSAVED_CODE },
      "factors-unavailable": { answers: { factors: { status: 500 } } },
      "without-factors": { answers: { factors: { status: 404 } } },
      "username-changed": { flow: inFlow(noticeFlow, { kind: "success", texts: ["cp:result.username"] }) },
      "device-removed": { flow: inFlow(noticeFlow, DEVICE_REMOVED) },
      "devices-removed": { flow: inFlow(noticeFlow, DEVICES_REMOVED), answers: NO_DEVICES },
      "session-ended": { flow: inFlow(noticeFlow, SESSION_ENDED) },
      "other-sessions-ended": {
        flow: inFlow(noticeFlow, OTHER_SESSIONS_ENDED),
        answers: { sessions: sessions(SESSIONS.slice(0, 1)) },
      },
      "session-gone": { flow: inFlow(noticeFlow, SESSION_GONE) },
      "nothing-optional": { answers: { profile: profile({}), sessions: MISSING, activity: MISSING } },
      "lists-unavailable": { answers: { sessions: BUSY, activity: BUSY } },
      "one-session": { answers: { sessions: sessions(SESSIONS.slice(0, 1)) } },
      "forty-sessions": { answers: { sessions: sessions(manySessions(40)) } },
      "too-many-of-each": {
        path: "/cp/profile?activity=all",
        answers: {
          profile: profile({ ...OPTIONAL, trustedDevices: manyDevices(83) }),
          sessions: sessions(manySessions(83)),
          activity: activity(MANY_EVENTS),
        },
      },
      news: { answers: NEWS },
      "much-news": { answers: newsOf(ACTIVITY_EVENTS) },
      "no-activity": { answers: { activity: activity([]) } },
      "newest-activity": { answers: { activity: activity(MANY_EVENTS) } },
      "all-activity": { path: "/cp/profile?activity=all", answers: { activity: activity(MANY_EVENTS) } },
      "each-event": { answers: { activity: activity(eventsOf(ACTIVITY_EVENTS)) } },
      "long-names": { answers: longDevices() },
      "same-devices": { answers: devicesCalled("Firefox 140, Windows 11") },
      "unknown-devices": { answers: devicesCalled("") },
      "new-phone": { answers: NEW_PHONE },
      "no-phone": { answers: { profile: profile({ ...OPTIONAL, phone: undefined }) } },
      "not-trusted": { answers: { profile: profile({ ...OPTIONAL, thisDevice: undefined }) } },
    },
  ),
  ...statesOf(
    "not-me",
    { path: "/cp/not-me", session },
    {
      busy: { sent: CONFIRM, answers: { endOtherSessions: BUSY } },
      factors: { answers: { factors: { status: 200, body: WITH_PASSKEYS } } },
      "new-phone": { answers: NEW_PHONE },
    },
  ),
  ...statesOf("contact", { path: "/cp/contact", session }),
];
