import { expect } from "vitest";
import type { DemoCustomer } from "../demo-customers";
import { Browser, latestCode } from "./browser";
import type { Way } from "./way";

/** A password that meets every rule. */
export const NEW_PASSWORD = "Zupełnie-Nowe-1";

/** Registers a customer in a new browser. Returns the signed-in browser, and the customer with the generated username. */
export async function register(way: Way, registering: DemoCustomer, password = NEW_PASSWORD) {
  const { policyNo, pid, phone } = registering;
  const browser = new Browser(way);
  await browser.post("/home/api/user/register/init", { policyNo, pid });
  const authorizationCode = await latestCode(way, phone);
  const answer = await browser.post("/home/api/user/register/confirm", {
    authorizationCode,
    password,
    pid,
    policyNo,
  });
  const { body } = await browser.get("/home/api/user/info");
  const { name, username } = body as { name: string; username: string };
  return { browser, answer, name, username, customer: { ...registering, username, password } };
}

/** Expects that a registered customer can't register again with this policy number: so the number is theirs. */
export async function expectRegistered(way: Way, { pid }: DemoCustomer, policyNo: string): Promise<void> {
  const { body } = await new Browser(way).post("/home/api/user/register/init", { policyNo, pid });
  expect(body, `registering ${policyNo} with the identifier of its customer`).toEqual({ errorCode: "014" });
}
