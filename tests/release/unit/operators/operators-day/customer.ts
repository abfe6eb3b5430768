import { expect } from "vitest";
import { CODE_STEPS, start } from "../../../../account-steps";
import { until } from "../../../../browsers/until";
import type { DemoCustomer, RegisteredCustomer } from "../../../../demo-customers";
import { register } from "../../../../new-account";
import { Visitor } from "../../../../visitor";
import type { Installation } from "./installation";

/** Wrong passwords in a row that lock an account. */
const TRIES = 5;
const LOGIN = "/home/api/auth/login";

/** A customer with an account, and the browser they use, which isn't the one they registered with. */
export interface Customer {
  readonly account: RegisteredCustomer;
  readonly browser: Visitor;
}

/** Registers in one browser, and goes on in another. */
export async function registers({ site }: Installation, who: DemoCustomer): Promise<Customer> {
  const { account } = await register(site, who);
  return { account, browser: new Visitor(site) };
}

/** Signs in with a code in a new browser. */
export async function signsInElsewhere({ site }: Installation, { account }: Customer): Promise<void> {
  await new Visitor(site).signIn(account);
}

/** Types wrong passwords, until the right one is refused. */
export async function locksThemselvesOut({ account, browser }: Customer): Promise<void> {
  for (let tries = 0; tries < TRIES; tries += 1)
    await browser.call("POST", LOGIN, { username: account.username, password: "Niedobre-1" });
  expect(await refusalOf(browser, account)).toBe("106");
}

/** The name that the portal shows to a signed-in customer. */
export async function nameShownTo({ browser }: Customer): Promise<unknown> {
  const { body } = await browser.get("/home/api/user/info");
  return (JSON.parse(body) as { name?: unknown }).name;
}

/** Loads their area until the condition holds. */
export async function seesTheirArea(
  { browser }: Customer,
  isSo: (page: { readonly status: number; readonly body: string }) => boolean,
): Promise<void> {
  await until("the portal to follow", async () => isSo(await browser.get("/cp")));
}

/** Changes the password on the profile. */
export async function changesPassword({ site }: Installation, { account, browser }: Customer): Promise<void> {
  const { path, fields, next } = CODE_STEPS["change-password"];
  await start(browser, path, { intent: "send-code" });
  const authorizationCode = await site.lastCode(account.phone);
  const { header } = await start(browser, path, { authorizationCode, ...fields() });
  expect(header("Location")).toBe(next);
}

/** After a restore, the customer is signed out, needs a code on the trusted device, and has the backup's password. */
export async function hasToBeginAgain({ account, browser }: Customer): Promise<void> {
  expect((await browser.get("/cp/api/profile")).status).toBe(401);
  expect((await browser.login(account)).header("Location")).toBe("/home/mfa");
  await browser.signIn(account);
}

/** After an erasure, the customer is signed out, and the account is unknown. */
export async function isUnknown({ site }: Installation, { account, browser }: Customer): Promise<void> {
  expect((await browser.get("/cp/api/profile")).status).toBe(401);
  expect(await refusalOf(new Visitor(site), account)).toBe("101");
}

async function refusalOf(browser: Visitor, { username, password }: RegisteredCustomer): Promise<unknown> {
  const { body } = await browser.call("POST", LOGIN, { username, password });
  return (JSON.parse(body) as { errorCode?: unknown }).errorCode;
}
