import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser } from "../../../contract/browser";
import { ANNA, PIOTR } from "../../../demo-customers";
import { onAnyDatabase } from "../../../database";
import { openTestBackend, type TestBackend } from "../test-backend";

interface ShownPolicy {
  readonly id: string;
  readonly policyNo: string;
  readonly product: string;
  readonly validFrom: string;
  readonly validTo: string;
}

onAnyDatabase((kind) => {
  describe("the demo", () => {
    let way: TestBackend;
    beforeAll(async () => {
      way = await openTestBackend({ kind });
    });
    afterAll(() => way.close());

    const signedIn = async (customer: typeof ANNA) => {
      const browser = new Browser(way);
      await browser.signIn(customer);
      const { policies } = (await browser.get("/cp/api/policies")).body as { policies: ShownPolicy[] };
      return { browser, policies };
    };

    it.each([ANNA, PIOTR])("has a policy document, a letter and terms for $name", async (customer) => {
      const { browser, policies } = await signedIn(customer);
      const id = policies.find(({ policyNo }) => policyNo === customer.policyNo)?.id ?? "";
      const { documents } = (await browser.get(`/cp/api/policies/${id}`)).body as {
        documents: { id: string; kind: string; issuedOn: string }[];
      };
      expect(documents.map((document) => document.kind).sort()).toEqual([
        "confirmation",
        "letter",
        "policy",
        "terms",
      ]);
      expect(documents.every(({ issuedOn }) => issuedOn <= "2026-11-20")).toBe(true);
      const terms = documents.find((document) => document.kind === "terms")?.id ?? "";
      const file = await browser.fetch("GET", `/cp/api/documents/${terms}`);
      expect([file.status, (await file.text()).slice(0, 5)]).toEqual([200, "%PDF-"]);
    });

    it("gives Piotr policies that run, end within 30 days, begin later or have ended", async () => {
      const { policies } = await signedIn(PIOTR);
      const today = "2026-11-20";
      const inThirtyDays = "2026-12-20";
      const states = policies.map(({ validFrom, validTo }) => {
        if (validTo < today) return "ended";
        if (validFrom > today) return "upcoming";
        return validTo <= inThirtyDays ? "ending" : "running";
      });
      expect(states).toEqual(["running", "running", "ending", "upcoming", "ended"]);
    });
  });
});
