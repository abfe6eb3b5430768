import { outboxAt, type Message } from "../../../tests/portal";
import { Visitor } from "../../../tests/visitor";
import { customerNumber, PASSWORD } from "../accounts";
import { forEachOf } from "../keep-alive";
import type { Running } from "../process";
import { addressNumber } from "../sign-in-load";

/** Customers who visit at the same time. */
const AT_ONCE = 4;
/** Pages are packed as for a browser, and the audit has a device and an address to keep. */
const fromBrowser = (nth: number) => ({
  headers: {
    "Accept-Encoding": "gzip, deflate, br",
    "User-Agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "X-Forwarded-For": addressNumber(nth),
  },
});

/** Customers of the bench and their browsers, by number. */
export type Visitors = readonly Visitor[];

/** Browsers that have accepted cookies. */
export async function newVisitors(portal: Running, count: number): Promise<Visitors> {
  const origin = `http://127.0.0.1:${portal.port}`;
  const visitors = Array.from(
    { length: count },
    () => new Visitor({ port: portal.port, origin, ...outboxAt(portal.port) }),
  );
  await forEachOf(visitors, AT_ONCE, (visitor) => visitor.accept());
  return visitors;
}

/** The first two screens of a sign-in: a code is on its way. Returns the requests of each. */
export function askForCodes(visitors: Visitors): Promise<number> {
  return each(visitors, async (visitor, nth) => [
    await visitor.get("/home", fromBrowser(nth)),
    await visitor.post("/home?index", detailsOf(nth), fromBrowser(nth)),
    await visitor.get("/home/mfa", fromBrowser(nth)),
  ]);
}

/** The last screen of a sign-in, and My Policies. */
export function confirmCodes(
  visitors: Visitors,
  codes: ReadonlyMap<string, string>,
  trust: boolean,
): Promise<number> {
  return each(visitors, async (visitor, nth) => {
    const authorizationCode = codes.get(customerNumber(nth).phone) ?? "";
    const fields = { intent: "confirm", authorizationCode, ...(trust && { trustDevice: "Y" }) };
    return [
      await visitor.post("/home/mfa", fields, fromBrowser(nth)),
      await visitor.get("/cp", fromBrowser(nth)),
    ];
  });
}

/** A sign-in from a trusted device, up to My Policies. */
export function signInTrusted(visitors: Visitors): Promise<number> {
  return each(visitors, async (visitor, nth) => [
    await visitor.get("/home", fromBrowser(nth)),
    await visitor.post("/home?index", detailsOf(nth), fromBrowser(nth)),
    await visitor.get("/cp", fromBrowser(nth)),
  ]);
}

/** A policy, My Data and signing out. */
export function browse(visitors: Visitors): Promise<number> {
  return each(visitors, async (visitor, nth) => [
    await visitor.get(`/cp/policy/${customerNumber(nth).policyId}`, fromBrowser(nth)),
    await visitor.get("/cp/profile", fromBrowser(nth)),
    await visitor.post("/home/logout", {}, fromBrowser(nth)),
    await visitor.get("/home/logout", fromBrowser(nth)),
  ]);
}

/** The newest code of each number. */
export function codesIn(messages: readonly Message[]): ReadonlyMap<string, string> {
  const newestLast = [...messages].reverse();
  return new Map(
    newestLast.flatMap(({ to, text }) => {
      const code = /\d{6}/.exec(text)?.[0];
      return code === undefined ? [] : [[to, code]];
    }),
  );
}

function detailsOf(nth: number) {
  return { username: customerNumber(nth).username, password: PASSWORD };
}

/** Does this for each visitor. @throws Error if a page was refused: the figures would then measure something else */
async function each(
  visitors: Visitors,
  walk: (visitor: Visitor, nth: number) => Promise<readonly { readonly status: number }[]>,
): Promise<number> {
  let requests = 0;
  await forEachOf([...visitors.entries()], AT_ONCE, async ([nth, visitor]) => {
    const answers = await walk(visitor, nth);
    for (const { status } of answers)
      if (status >= 400) throw new Error(`customer ${nth} was answered ${status}`);
    requests += answers.length;
  });
  return requests / visitors.length;
}
