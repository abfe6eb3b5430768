import { ANNA, JAN, type RegisteredCustomer } from "../demo-customers";
import type { HttpAnswer } from "../http-request";
import { FROM_SCRIPT, Visitor, type VisitedPortal } from "../visitor";
import { dataPath, outcomeIn, STATES, type AddressRow, type Outcome, type State } from "./addresses";

/** A new visitor in this state, with their own session. */
export async function visitorIn(
  portal: VisitedPortal,
  state: State,
  customer: RegisteredCustomer = ANNA,
): Promise<Visitor> {
  const visitor = new Visitor(portal);
  if (state === "nobody") return visitor;
  await visitor.accept();
  if (state.startsWith("pending")) await visitor.begin(customer);
  if (state.startsWith("signed-in")) await visitor.signIn(customer);
  if (state.endsWith("without consent")) visitor.cookies.delete("accepted-cookies");
  return visitor;
}

/** One visitor for each state. No request of the table may end or begin a session of theirs. */
export type Visitors = ReadonlyMap<State, Visitor>;

/** Visitors in every state, all of one customer. */
export async function visitorsOf(portal: VisitedPortal): Promise<Visitors> {
  const visitors = new Map<State, Visitor>();
  for (const state of STATES) visitors.set(state, await visitorIn(portal, state));
  return visitors;
}

/** A visitor for one request of this row. Where it ends sessions, they are of a customer whom nothing else needs. */
export async function visitorFor(
  portal: VisitedPortal,
  visitors: Visitors,
  row: AddressRow,
  state: State,
): Promise<Visitor> {
  const known = visitors.get(state);
  return row.endsSession || !known ? visitorIn(portal, state, JAN) : known.twin();
}

/** The answers to `user/info` and `user/init`, which tell a session's state. */
function sessionCalls(state: State): readonly [info: number, init: number] {
  if (state.startsWith("pending")) return [200, 409];
  return state.startsWith("signed-in") ? [200, 200] : [401, 401];
}

/** Who has lost or gained a session, in words; nobody, if all is as it was made. */
export async function changedSessions(visitors: Visitors): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const [state, visitor] of visitors) {
    const window = visitor.twin();
    const info = (await window.call("GET", "/home/api/user/info")).status;
    const init = (await window.call("POST", "/home/api/user/init", {})).status;
    const was = sessionCalls(state);
    if (info !== was[0] || init !== was[1])
      changed.push(`${state}: ${info} and ${init} instead of ${was[0]} and ${was[1]}`);
  }
  return changed;
}

/** An answer as the table writes it. A script is told where a redirect leads by a 204. */
export function outcomeOf({ status, header }: HttpAnswer, ...redirects: readonly number[]): Outcome {
  const address = header(status === 204 ? "X-Location" : "Location");
  return redirects.includes(status) ? `→ ${address ?? "nowhere"}` : status;
}

/** The outcome of a request, beside the one in the table. */
export interface Visited {
  /** The request, in words. */
  readonly what: string;
  readonly was: Outcome;
  readonly should: Outcome;
}

/**
 * Requests an address as a page, and in further ways: as a form, by a head, by a script, and its data, each by a visitor in this
 * state.
 * @param inEveryWay whether in all of them; else as a page and as a form
 */
export async function visitEveryWay(
  row: AddressRow,
  state: State,
  newVisitor: () => Promise<Visitor>,
  inEveryWay = true,
): Promise<readonly Visited[]> {
  const { path, get, post, noPage } = row;
  const query = path === "/" || path === "/home" ? "?index" : "";
  const page = await (await newVisitor()).get(path);
  const form = await (await newVisitor()).post(path + query);
  const opened: readonly Visited[] = [
    { what: "page", was: outcomeOf(page, 302), should: outcomeIn(get, state) },
    { what: "form", was: outcomeOf(form, 302, 303), should: outcomeIn(post, state) },
  ];
  if (!inEveryWay) return opened;
  const head = await (await newVisitor()).send("HEAD", path);
  const pages: readonly Visited[] = [
    ...opened,
    // HEAD is answered as for an unknown visitor (S111).
    { what: "head", was: outcomeOf(head, 302), should: outcomeIn(get, "nobody") },
    { what: "body of the head", was: head.body.length, should: 0 },
    { what: "data", was: (await (await newVisitor()).get(dataPath(path))).status, should: 404 },
    { what: "data of the form", was: (await (await newVisitor()).post(dataPath(path))).status, should: 404 },
  ];
  if (noPage) return pages;
  const fetched = await (await newVisitor()).get(path, { headers: FROM_SCRIPT });
  const sent = await (await newVisitor()).post(path + query, {}, { headers: FROM_SCRIPT });
  return [
    ...pages,
    { what: "page for a script", was: outcomeOf(fetched, 204), should: outcomeIn(get, state) },
    { what: "form of a script", was: outcomeOf(sent, 204), should: outcomeIn(post, state) },
  ];
}

/** Addresses by which some server has let people past a gate. */
export const DETOURS = [
  "/cp/",
  "/CP",
  "/cp?x=1",
  "/Cp/Profile",
  "/cp/profile/",
  "/cp%2Fprofile",
  "/%63p",
  "//cp",
  "/cp/.",
  "/home/../cp",
  "/home/%2e%2e/cp",
  "/cp;a=b",
  "/cp/profile?document-password-save-result=create",
] as const;

/** Addresses at which Remix would answer with a page's data alone; unit/server's decision.test.ts has more. */
export const DATA = [
  "/cp.data",
  "/cp/profile.data",
  "/cp%2Edata",
  "/cp?_data=journeys%2Fcustomer-area%2Fpolicies",
  "/__manifest?version=1&p=/cp",
] as const;

/**
 * A call of the API: method, path and payload, and its status for a visitor who is signed out, pending and signed in,
 * with consent or without.
 */
type CallRow = readonly [string, string, object | undefined, readonly [number, number, number]];

/** Calls of the API, and their answer in each state. */
export const CALLS: readonly CallRow[] = [
  ["GET", "/home/api/user/info", undefined, [401, 200, 200]],
  ["POST", "/home/api/user/init", {}, [401, 409, 200]],
  [
    "POST",
    "/home/api/user/activate-session/confirm",
    { authorizationCode: "000000", deviceName: "x", trustDevice: "N" },
    [401, 400, 400],
  ],
  ["POST", "/home/api/auth/login", {}, [422, 422, 422]],
  ["GET", "/cp/api/policies", undefined, [401, 409, 200]],
  ["GET", "/cp/api/profile", undefined, [401, 409, 200]],
];

/** The status of a call for a visitor in this state. */
export function callStatus([, , , statuses]: CallRow, state: State): number {
  const [signedOut, pending, signedIn] = statuses;
  if (state.startsWith("pending")) return pending;
  return state.startsWith("signed-in") ? signedIn : signedOut;
}
