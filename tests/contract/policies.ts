import { expect, it, type TestContext } from "vitest";
import { z } from "zod";
import { CALLS } from "~/contract/calls.server";
import { decodePdf } from "~/contract/pdf-file.server";
import { answerOf } from "../messages";
import { ANNA, COMPANY, KRYSTYNA, OLENA, PIOTR, type RegisteredCustomer } from "../demo-customers";
import { Browser, latestCode } from "./browser";
import { leftOut } from "./left-out";
import {
  changeFaults,
  downloadFaults,
  listFaults,
  pageFaults,
  sentPolicy,
  sentPremiumFaults,
  sharedDocumentFaults,
  type ListedPolicy,
  type Owner,
  type PolicyPage,
} from "./policy-faults";
import { expectRegistered } from "./register";
import type { Way } from "./way";

/** Registers one promise; vitest's `it`, unless a test wants the promises themselves. */
export type AddPromise = (title: string, keep: (context: TestContext) => Promise<void>) => void;

/** Everyone whose policies the customers file lists. */
export const OWNERS: readonly Owner[] = Object.entries({ ANNA, PIOTR, KRYSTYNA, OLENA, COMPANY }).map(
  ([role, { policies }]) => ({ role, policies }),
);
/** Those of them who can sign in. */
const PEOPLE: readonly (Owner & RegisteredCustomer)[] = [
  { role: "ANNA", ...ANNA },
  { role: "PIOTR", ...PIOTR },
];
const AT_ONCE = 10;

/** Each customer gets all of their policies, once each, and nothing of another policy or another customer. */
export function policyPromises(way: () => Way, promise: AddPromise = it): void {
  for (const owner of PEOPLE) {
    const { role } = owner;
    const signedIn = () => signIn(way(), owner);

    promise(`the list has every policy of ${role} once, with its own facts, and no other`, async () => {
      expectNone(listFaults(owner, await listOf(await signedIn()), OWNERS));
    });

    promise(`the policies of ${role} keep their order and their ids`, async () => {
      const [browser, other] = [await signedIn(), await signedIn()];
      const first = await listOf(browser);
      for (const next of [await listOf(browser), await listOf(other)])
        expectNone(changeFaults(role, first, next));
    });

    promise(`each of ${role}'s policy pages shows its own policy`, async (context) => {
      const browser = await signedIn();
      const known = new Map(owner.policies.map((policy) => [policy.policyNo, policy]));
      for (const { listed, page } of await pagesOf(way(), browser, context))
        expectNone(pageFaults(listed, page, known.get(listed.policyNo)));
    });

    promise(`each premium of ${role}'s policies keeps the rules`, async (context) => {
      const sent = await premiumsSent(await signedIn());
      if (sent.length === 0) leftOut(way(), context, "the backend says nothing of premiums");
      expectNone(sent.flatMap(({ where, policy }) => sentPremiumFaults(where, policy)));
    });

    promise(`no document of ${role} belongs to two policies`, async (context) => {
      const pages = await pagesOf(way(), await signedIn(), context);
      expectNone(sharedDocumentFaults(pages.map(({ page }) => page)));
    });

    promise(`each policy number of ${role} leads to ${role} alone: 014 and the username`, async () => {
      for (const { policyNo } of owner.policies) {
        await expectRegistered(way(), owner, policyNo);
        await remindsOf(way(), owner, policyNo);
      }
    });
  }

  promise("each document is downloaded under its own name", async (context) => {
    const browser = await signIn(way(), PIOTR);
    const numbers = OWNERS.flatMap(({ policies }) => policies.map(({ policyNo }) => policyNo));
    for (const { page } of await pagesOf(way(), browser, context))
      for (const { id, name } of page.documents) {
        const { fileName, body } = decodePdf(
          await answerOf(await browser.fetch("GET", `/cp/api/documents/${id}`)),
        );
        expect(await new Response(body).text()).toMatch(/^%PDF-/);
        const others = numbers.filter((number) => number !== page.policyNo);
        expectNone(downloadFaults(name, fileName, others));
      }
  });

  promise("customers who ask at the same moment each get their own policies", async () => {
    const browsers = await Promise.all(PEOPLE.map((owner) => signIn(way(), owner)));
    const asked = Array.from({ length: AT_ONCE }, () =>
      PEOPLE.map(async (owner, nth) => {
        const browser = browsers[nth];
        return browser ? listFaults(owner, await listOf(browser), OWNERS) : [];
      }),
    );
    expectNone((await Promise.all(asked.flat())).flat());
  });
}

/** Fails with every fault in words, one a line. */
export function expectNone(faults: readonly string[]): void {
  if (faults.length > 0) expect.fail([...new Set(faults)].join("\n"));
}

/** The policies of a signed-in customer. */
export async function listOf(browser: Browser): Promise<readonly ListedPolicy[]> {
  const { status, body } = await browser.get("/cp/api/policies");
  expect(status).toBe(200);
  return CALLS.policies.response.parse(body).policies;
}

async function signIn(way: Way, customer: RegisteredCustomer): Promise<Browser> {
  const browser = new Browser(way);
  await browser.signIn(customer);
  return browser;
}

/** Every policy with a page, and that page. */
async function pagesOf(way: Way, browser: Browser, context: TestContext) {
  const pages: { listed: ListedPolicy; page: PolicyPage }[] = [];
  for (const listed of await listOf(browser)) {
    if (listed.id === undefined) continue;
    const { status, body } = await browser.get(`/cp/api/policies/${listed.id}`);
    expect(status, `the page of ${listed.policyNo}`).toBe(200);
    pages.push({ listed, page: CALLS.policy.response.parse(body) });
  }
  return pages.length > 0 ? pages : leftOut(way, context, "the backend offers no policy pages");
}

/** The policies with a premium, as the list and their pages say them. */
async function premiumsSent(browser: Browser) {
  const { policies } = z
    .object({ policies: z.array(sentPolicy) })
    .parse((await browser.get("/cp/api/policies")).body);
  const sent = policies.map((policy) => ({ where: "the list", policy }));
  for (const { id, policyNo } of await listOf(browser))
    if (id !== undefined) {
      const { body } = await browser.get(`/cp/api/policies/${id}`);
      sent.push({ where: `the page of ${policyNo}`, policy: sentPolicy.parse(body) });
    }
  return sent.filter(({ policy }) => policy.premium !== undefined);
}

/** A reminder with any of the customer's policy numbers tells their username, to their phone. */
async function remindsOf(way: Way, { phone, username }: Owner & RegisteredCustomer, policyNo: string) {
  const browser = new Browser(way);
  await browser.post("/home/api/user/login-remind/init", { policyNo });
  const authorizationCode = await latestCode(way, phone);
  const { body } = await browser.post("/home/api/user/login-remind/confirm", { authorizationCode, policyNo });
  expect(body, `the username for ${policyNo}`).toEqual({ username });
}
