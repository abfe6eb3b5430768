import { CALLS } from "~/contract/calls.server";
import { codeOfStep } from "~/backend/factors/totp.server";
import { type Answer, Browser, latestCode } from "./contract/browser";
import type { Way } from "./contract/way";
import type { RegisteredCustomer } from "./demo-customers";

const FACTORS = "/cp/api/factors";
const STEP_MS = 30_000;

/** An authenticator app that a customer has added, and the recovery code that came with the first one. */
export interface AddedApp {
  readonly id: string;
  readonly secret: string;
  readonly recoveryCode: string | undefined;
}

/** The code that an app shows. @param steps how many half minutes from then; the backend takes one earlier or later */
export function appCode({ secret }: Pick<AddedApp, "secret">, at: number, steps = 0): string {
  return codeOfStep(secret, Math.floor(at / STEP_MS) + steps);
}

/**
 * The backend's time, in ms, seen in an active session: a test's clock stands still. A backend that lists no sessions
 * has a clock that runs.
 */
export async function backendTime(browser: Browser): Promise<number> {
  const { body } = await browser.get("/cp/api/sessions");
  const list = CALLS.sessions.response.safeParse(body);
  const current = list.data?.sessions.find((session) => session.current);
  return current ? Date.parse(current.lastSeenAt) : Date.now();
}

/** The fields that the tests read from answers; each answer has only some of them. */
interface Body {
  readonly id: string;
  readonly secret: string;
  readonly uri: string;
  readonly recoveryCode?: string;
  readonly factors: readonly object[];
  readonly trustedDevices: readonly object[];
  readonly events: readonly { readonly event: string; readonly detail?: string }[];
}

/** The body of an answer, which must be a success. */
export function bodyOf(answer: Answer): Body {
  if (answer.status >= 300) throw new Error(`answered ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Body;
}

/** Sends a code for a change of factors, and returns it as a proof. */
export async function proofBySms(way: Way, browser: Browser, { phone }: RegisteredCustomer) {
  bodyOf(await browser.put(`${FACTORS}/init`));
  return { authorizationCode: await latestCode(way, phone) };
}

/** Prepares an app in an active session; a code by SMS proves it. */
export async function prepareApp(way: Way, browser: Browser, customer: RegisteredCustomer) {
  return bodyOf(await browser.put(`${FACTORS}/app/prepare`, await proofBySms(way, browser, customer)));
}

/**
 * Adds an app in an active session. Its code is that of the step before, so that two more can be used at once.
 * @param now the backend's time, in ms
 */
export async function addApp(
  way: Way,
  browser: Browser,
  customer: RegisteredCustomer,
  now: number,
): Promise<AddedApp> {
  const prepared = await prepareApp(way, browser, customer);
  const code = appCode(prepared, now, -1);
  const added = bodyOf(await browser.put(`${FACTORS}/app/confirm`, { id: prepared.id, code }));
  return { ...prepared, recoveryCode: added.recoveryCode };
}

/** A new browser in which the password was right. */
export async function withPassword(way: Way, customer: RegisteredCustomer): Promise<Browser> {
  const browser = new Browser(way);
  bodyOf(await browser.login(customer));
  return browser;
}

/** Confirms a pending session by a factor. */
export function confirmBy(
  browser: Browser,
  method: string,
  authorizationCode: string,
  trustDevice: "Y" | "N" = "N",
): Promise<Answer> {
  const path = "/home/api/user/activate-session/confirm";
  return browser.post(path, { authorizationCode, method, trustDevice, deviceName: "Firefox, Linux" });
}
