import { SCREEN_STATES } from "~/demo/screens/all";
import routes from "~/routes";

/** How far a visitor has come. The last two have a session but have lost their consent. */
export const STATES = [
  "nobody",
  "signed-out",
  "pending",
  "signed-in",
  "pending, without consent",
  "signed-in, without consent",
] as const;
export type State = (typeof STATES)[number];

/** The outcome of a request: a status, or another address (`→ /home`). */
export type Outcome = number | `→ ${string}`;

/** One address: where GET (or HEAD) and POST lead, with one outcome for all states or one for each. */
export interface AddressRow {
  /** As in `app/routes.ts`. */
  readonly pattern: string;
  /** An address that matches the pattern. */
  readonly path: string;
  readonly get: Outcome | Readonly<Record<State, Outcome>>;
  readonly post: Outcome | Readonly<Record<State, Outcome>>;
  /** It ends sessions, so each request needs a session of its own, of a customer that no other row uses. */
  readonly endsSession?: true;
  /** It does not answer with a page, so no script asks for it. */
  readonly noPage?: true;
}

const CONSENT: Outcome = "→ /home/cookies";

/** Consent comes first, with and without a session. */
function gate(
  outcomes: Readonly<Record<"signed-out" | "pending" | "signed-in", Outcome>>,
): Readonly<Record<State, Outcome>> {
  return {
    ...outcomes,
    nobody: CONSENT,
    "pending, without consent": CONSENT,
    "signed-in, without consent": CONSENT,
  };
}

function forCustomers(signedIn: Outcome): Readonly<Record<State, Outcome>> {
  return gate({ "signed-out": "→ /home", pending: "→ /home/mfa", "signed-in": signedIn });
}

function forStrangers(signedOut: Outcome): Readonly<Record<State, Outcome>> {
  return gate({ "signed-out": signedOut, pending: "→ /home/mfa", "signed-in": "→ /home" });
}

function forAllWithConsent(outcome: Outcome): Readonly<Record<State, Outcome>> {
  return gate({ "signed-out": outcome, pending: outcome, "signed-in": outcome });
}

const SIGNS_OUT: AddressRow["get"] = {
  nobody: 200,
  "signed-out": 200,
  pending: "→ /home/logout",
  "signed-in": "→ /home/logout",
  "pending, without consent": "→ /home/logout",
  "signed-in, without consent": "→ /home/logout",
};

/** The addresses that need more than the audience of a screen to describe them. */
const LISTED: readonly AddressRow[] = [
  { pattern: "/", path: "/", get: forAllWithConsent("→ /home"), post: forAllWithConsent("→ /home") },
  {
    pattern: "/home",
    path: "/home",
    get: gate({ "signed-out": 200, pending: "→ /home/mfa", "signed-in": "→ /cp" }),
    post: gate({ "signed-out": 400, pending: "→ /home/mfa", "signed-in": "→ /cp" }),
  },
  {
    pattern: "/home/mfa",
    path: "/home/mfa",
    get: gate({ "signed-out": "→ /home", pending: 200, "signed-in": "→ /home" }),
    post: gate({ "signed-out": "→ /home", pending: 400, "signed-in": "→ /home" }),
  },
  // A journey opened in the middle leads to its first screen.
  ...Object.entries({
    "set-password": "register",
    "reset-password-submit": "reset-password-init",
    "remind-login-submit": "remind-login-init",
    "remind-login-final": "remind-login-init",
  }).map(([name, first]) => ({
    pattern: `/home/${name}`,
    path: `/home/${name}`,
    get: forStrangers(`→ /home/${first}`),
    post: forStrangers(`→ /home/${first}`),
  })),
  {
    pattern: "/home/confirm-login",
    path: "/home/confirm-login",
    get: forCustomers(200),
    post: forCustomers("→ /home/change-login"),
  },
  // The customer of the tests has no document password to change.
  {
    pattern: "/home/change-document-password",
    path: "/home/change-document-password",
    get: forCustomers("→ /home/create-document-password"),
    post: forCustomers("→ /home/create-document-password"),
  },
  // Nor does a new phone number wait.
  {
    pattern: "/home/keep-phone",
    path: "/home/keep-phone",
    get: forCustomers("→ /cp/not-me"),
    post: forCustomers("→ /cp/not-me"),
  },
  // Nor do they have a second factor, and at an IP address there are no passkeys.
  ...["/home/remove-factor", "/home/sms-at-sign-in", "/home/add-passkey"].map((path) => ({
    pattern: path,
    path,
    get: forCustomers(404),
    post: forCustomers(404),
  })),
  {
    pattern: "/home/logout",
    path: "/home/logout",
    get: SIGNS_OUT,
    post: "→ /home/logout",
    endsSession: true,
  },
  { pattern: "/home/cookies", path: "/home/cookies", get: 200, post: "→ /home" },
  // For scripts alone. At an IP address there are no passkeys, and nobody who is signed in is asked.
  {
    pattern: "/home/passkey-question",
    path: "/home/passkey-question",
    get: "→ /home",
    post: gate({ "signed-out": 404, pending: 404, "signed-in": 404 }),
    noPage: true,
  },
  {
    pattern: "/home/*",
    path: "/home/nie-ma",
    get: forAllWithConsent("→ /home"),
    post: forAllWithConsent("→ /home"),
  },
  { pattern: "/home/api/*", path: "/home/api/nie-ma", get: 404, post: 404, noPage: true },
  {
    pattern: "/cp/not-me",
    path: "/cp/not-me",
    get: forCustomers(200),
    post: forCustomers("→ /home/change-password"),
    endsSession: true,
  },
  { pattern: "/cp/profile", path: "/cp/profile", get: forCustomers(200), post: forCustomers(400) },
  {
    pattern: "/cp/policy/:id",
    path: "/cp/policy/nie-ma-takiej",
    get: forCustomers(404),
    post: forCustomers(405),
  },
  ...["payment", "proof"].map((part) => ({
    pattern: `/cp/policy/:id/${part}`,
    path: `/cp/policy/nie-ma-takiej/${part}`,
    get: forCustomers(404),
    post: forCustomers(405),
  })),
  ...["calendar.ics", "code.png"].map((file) => ({
    pattern: `/cp/policy/:id/${file}`,
    path: `/cp/policy/nie-ma-takiej/${file}`,
    get: forCustomers(404),
    post: 405,
    noPage: true as const,
  })),
  {
    pattern: "/cp/document/:id",
    path: "/cp/document/nie-ma-takiego",
    get: forCustomers(404),
    post: 405,
    noPage: true,
  },
  { pattern: "/cp/api/*", path: "/cp/api/nie-ma", get: 404, post: 404, noPage: true },
  {
    pattern: "/.well-known/change-password",
    path: "/.well-known/change-password",
    get: "→ /home/change-password",
    post: "→ /home/change-password",
    noPage: true,
  },
  {
    pattern: "/.well-known/security.txt",
    path: "/.well-known/security.txt",
    get: 200,
    post: 405,
    noPage: true,
  },
  { pattern: "/language/:code", path: "/language/en", get: 303, post: "→ /home", noPage: true },
  { pattern: "/service", path: "/service", get: 200, post: 405 },
  { pattern: "/home/accessibility", path: "/home/accessibility", get: 200, post: 405 },
  { pattern: "/demo/sms", path: "/demo/sms", get: 200, post: 405 },
  { pattern: "/demo/gallery", path: "/demo/gallery", get: 200, post: 405 },
  { pattern: "/demo/gallery/*", path: "/demo/gallery/mfa/resent", get: 200, post: 405, noPage: true },
  { pattern: "/demo/gallery/*", path: "/demo/gallery/nowhere", get: 404, post: 405, noPage: true },
  { pattern: "/demo/sms.json", path: "/demo/sms.json", get: 200, post: 405, noPage: true },
  { pattern: "/healthz", path: "/healthz", get: 200, post: 405, noPage: true },
  { pattern: "/readyz", path: "/readyz", get: 200, post: 405, noPage: true },
  {
    pattern: "/refused/:status",
    path: "/refused/403",
    get: forAllWithConsent(404),
    post: forAllWithConsent(404),
    noPage: true,
  },
  { pattern: "/*", path: "/nie-ma", get: forAllWithConsent(404), post: forAllWithConsent(404) },
  { pattern: "/*", path: "/cp/nie-ma", get: forAllWithConsent(404), post: forAllWithConsent(404) },
];

/**
 * The other screens, as the gallery declares them: for customers if the state has a session, else for strangers. A
 * screen with a form refuses an empty one; any other screen takes no form.
 */
const SCREENS: readonly AddressRow[] = SCREEN_STATES.filter(
  ({ id, path }) =>
    !id.includes("/") && routePatterns().includes(path) && !LISTED.some(({ pattern }) => pattern === path),
).map(({ id, path, session }) => {
  const gated = session === "active" ? forCustomers : forStrangers;
  const hasForm = SCREEN_STATES.some((state) => state.id.startsWith(`${id}/`) && state.sent !== undefined);
  return { pattern: path, path, get: gated(200), post: gated(hasForm ? 400 : 405) };
});

/** Every address of the portal. The POSTs send an empty form. */
export const ADDRESSES: readonly AddressRow[] = [...LISTED, ...SCREENS];

/** The outcome for a visitor in this state. */
export function outcomeIn(outcome: AddressRow["get"], state: State): Outcome {
  return typeof outcome === "object" ? outcome[state] : outcome;
}

/** The patterns of all addresses. */
export function routePatterns(): readonly string[] {
  // A layout around several screens has no address of its own.
  const addresses = Array.from(routes).flatMap((route) => route.children ?? [route]);
  // The API is answered before the router.
  return [...addresses.map(({ path = "" }) => `/${path}`), "/home/api/*", "/cp/api/*"];
}

/** The address where Remix would serve a page's data. */
export function dataPath(path: string): string {
  return path === "/" ? "/_root.data" : `${path}.data`;
}
