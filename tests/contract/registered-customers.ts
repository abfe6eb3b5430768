import { expect, it } from "vitest";
import { COMPANY, freshCustomer, KRYSTYNA, OLENA, type DemoCustomer } from "../demo-customers";
import { Browser, latestCode } from "./browser";
import { expectNone, listOf, OWNERS, type AddPromise } from "./policies";
import { listFaults } from "./policy-faults";
import { expectRegistered, NEW_PASSWORD, register } from "./register";
import type { Way } from "./way";

const KINDS = [
  { kind: "an individual", role: "KRYSTYNA", ...KRYSTYNA },
  { kind: "a person without a PESEL", role: "OLENA", ...OLENA },
  { kind: "a company's representative", role: "COMPANY", ...COMPANY },
] as const;

/** Policy number and identifier lead to the customer they belong to, and to no other. */
export function registeredCustomerPromises(way: () => Way, promise: AddPromise = it): void {
  for (const customer of KINDS) {
    promise(
      `gives ${customer.kind} an account with a generated username, and all their policies`,
      async () => {
        const { answer, name, username, browser } = await register(way(), customer);
        expect([answer.status, answer.body]).toEqual([200, {}]);
        expect(name).toBe(customer.name);
        expect(username).toMatch(/^klient\d{8}$/);
        expect((await browser.post("/home/api/user/init")).status).toBe(200);
        expect((await new Browser(way()).login({ username, password: NEW_PASSWORD })).status).toBe(200);

        expectNone(listFaults(customer, await listOf(browser), OWNERS));
        for (const { policyNo } of customer.policies) await expectRegistered(way(), customer, policyNo);
      },
    );
  }

  promise("customers who register at the same moment each get their own account and policies", async () => {
    const pair = [freshCustomer(35), freshCustomer(36)] as const;
    const browsers = pair.map(() => new Browser(way()));
    const each = <Value>(work: (customer: DemoCustomer, browser: Browser) => Promise<Value>) =>
      Promise.all(browsers.map((browser, nth) => work(pair[nth === 0 ? 0 : 1], browser)));
    await each((customer, browser) => browser.post("/home/api/user/register/init", detailsOf(customer)));
    // One after the other: a person may have to type them.
    const codes: string[] = [];
    for (const { phone } of pair) codes.push(await latestCode(way(), phone));
    const answers = await each((customer, browser) =>
      browser.post("/home/api/user/register/confirm", {
        ...detailsOf(customer),
        authorizationCode: codes[customer === pair[0] ? 0 : 1],
        password: NEW_PASSWORD,
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const told = await each(async (_, browser) => ({
      info: (await browser.get("/home/api/user/info")).body,
      numbers: (await listOf(browser)).map(({ policyNo }) => policyNo),
    }));
    for (const [nth, { name, policyNo }] of pair.entries()) {
      const others = [...pair, ...KINDS].filter((other) => other.policyNo !== policyNo);
      expect(told[nth]?.info, policyNo).toMatchObject({ name });
      expect(told[nth]?.numbers).toContain(policyNo);
      for (const other of others) expect(told[nth]?.numbers).not.toContain(other.policyNo);
    }
  });
}

function detailsOf({ policyNo, pid }: DemoCustomer) {
  return { policyNo, pid };
}
