import { expect, it, type TestContext } from "vitest";
import type { CallResponse } from "~/contract/calls.server";
import { ANNA, freshCustomer, PIOTR } from "../demo-customers";
import { Browser, latestCode, type Answer } from "./browser";
import { leftOut } from "./left-out";
import { register } from "./register";
import type { Way } from "./way";

type Policy = CallResponse<"policy">;
type Listed = CallResponse<"policies">["policies"][number];
const NOBODYS = "00000000-0000-4000-8000-000000000000";
const DOCUMENT_PASSWORD = "Dokument-2026!";

/** Policies with pages, and their documents. A backend may leave all of it out: then it sends no ids. */
export function documentPromises(way: () => Way): void {
  const policiesOf = async (browser: Browser, context: TestContext) => {
    const { policies } = (await browser.get("/cp/api/policies")).body as { policies: readonly Listed[] };
    const linked = policies.flatMap(({ id, ...listed }) => (id === undefined ? [] : [{ ...listed, id }]));
    return linked.length > 0 ? linked : leftOut(way(), context, "the backend offers no policy pages");
  };

  /** A signed-in browser and the customer's policies with ids. */
  const withPolicies = async (context: TestContext, customer: typeof ANNA) => {
    const browser = new Browser(way());
    await browser.signIn(customer);
    return { browser, policies: await policiesOf(browser, context) };
  };

  it("no id of a policy or a document has the policy number in it", async (context) => {
    const { browser, policies } = await withPolicies(context, ANNA);
    for (const { id, policyNo } of policies) {
      const documents = await documentsOf(browser, id);
      for (const each of [id, ...documents.map((document) => document.id)])
        expect(each).not.toContain(policyNo);
    }
  });

  it("somebody else's policy and document are answered like those that don't exist: 404", async (context) => {
    const { browser, policies } = await withPolicies(context, ANNA);
    const stranger = new Browser(way());
    await stranger.signIn(PIOTR);
    const [policy] = policies;
    const documents = await documentsOf(browser, policy?.id ?? "");
    const [foreign, missing] = [
      await stranger.get(`/cp/api/policies/${policy?.id ?? ""}`),
      await stranger.get(`/cp/api/policies/${NOBODYS}`),
    ];
    for (const answer of [foreign, missing]) expect([answer.status, answer.body]).toEqual([404, {}]);
    for (const id of [...documents.map((document) => document.id), NOBODYS])
      expect((await stranger.get(`/cp/api/documents/${id}`)).status).toBe(404);
  });

  it("a protected document needs a document password, and is encrypted: AES-256, revision 6", async (context) => {
    const customer = freshCustomer(32);
    const { browser } = await register(way(), customer);
    const [policy] = await policiesOf(browser, context);
    const documents = await documentsOf(browser, policy?.id ?? "");
    const document =
      documents.find((each) => each.protected) ?? leftOut(way(), context, "no protected document");
    const path = `/cp/api/documents/${document.id}`;
    const refused: Answer = await browser.get(path);
    expect([refused.status, refused.body]).toEqual([400, { errorCode: "document-password-missing" }]);

    await browser.put("/cp/api/doc-pwd/create/init");
    const authToken = await latestCode(way(), customer.phone);
    await browser.put("/cp/api/doc-pwd/create/confirm", { authToken, password: DOCUMENT_PASSWORD });
    const download = await browser.fetch("GET", path);
    expect(download.status).toBe(200);
    expect(download.headers.get("Content-Type")).toBe("application/pdf");
    expect(download.headers.get("Content-Disposition")).toMatch(/^attachment;/);
    expect(download.headers.get("Cache-Control")).toContain("no-store");
    const text = Buffer.from(await download.arrayBuffer()).toString("latin1");
    expect(text).toMatch(/^%PDF-/);
    expect(text).toMatch(/\/Encrypt\b/);
    expect(text).toMatch(/\/V 5\b/);
    expect(text).toMatch(/\/R 6\b/);
    expect(text).not.toContain(DOCUMENT_PASSWORD);
  });

  it("public terms are given out as they are", async (context) => {
    const { browser, policies } = await withPolicies(context, PIOTR);
    for (const { id } of policies)
      for (const document of await documentsOf(browser, id))
        if (!document.protected) {
          const download = await browser.fetch("GET", `/cp/api/documents/${document.id}`);
          const bytes = Buffer.from(await download.arrayBuffer());
          expect(bytes.byteLength).toBe(document.bytes);
          expect(bytes.toString("latin1")).not.toMatch(/\/Encrypt\b/);
          return;
        }
    leftOut(way(), context, "no public document");
  });
}

async function documentsOf(browser: Browser, policyId: string): Promise<Policy["documents"]> {
  return ((await browser.get(`/cp/api/policies/${policyId}`)).body as Policy).documents;
}
