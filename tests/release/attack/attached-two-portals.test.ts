import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAttachedPortal, type AttachedPortal } from "../../attached-portals";
import { Visitor } from "../../visitor";

// Journeys run on an attached backend, too, and unit/visit has the flags of its cookies.
describe("a portal whose backend is another server", () => {
  let portal: AttachedPortal;
  beforeAll(async () => {
    // The front portal stands behind a proxy; the backend portal trusts the front one.
    const env = { LIMIT_ADDRESS_SIGN_INS_PER_10_MINUTES: "3", TRUSTED_PROXIES: "127.0.0.1" };
    portal = await startAttachedPortal(env);
  });
  afterAll(() => portal.stop());

  test("has no API, no outbox, no link to one and no database", async () => {
    const visitor = new Visitor(portal);
    for (const [method, path] of [
      ["GET", "/home/api/user/info"],
      ["POST", "/home/api/auth/login"],
      ["DELETE", "/home/api/session"],
      ["PUT", "/cp/api/doc-pwd/create/init"],
      ["GET", "/cp/api/policies"],
    ] as const) {
      const answer = await visitor.call(
        method,
        path,
        method === "GET" || method === "DELETE" ? undefined : {},
      );
      expect([answer.status, answer.body], path).toEqual([404, "{}"]);
      expect(answer.header("Content-Type"), path).toMatch(/^application\/json/);
    }
    for (const path of ["/demo/sms", "/demo/sms.json"])
      expect((await visitor.get(path)).status, path).toBe(404);
    expect((await visitor.post("/demo/sms")).status).toBe(404);

    await visitor.accept();
    const page = await visitor.get("/home");
    expect(page.body).toContain("Wersja demonstracyjna");
    expect(page.body).not.toContain("/demo/sms");
    expect(existsSync(join(portal.dataDir, "portal.db"))).toBe(false);
    expect(existsSync(join(portal.backend.dataDir, "portal.db"))).toBe(true);
  });

  test("[S60] counts by the customer's address, not the portal's", async () => {
    const visitor = new Visitor(portal);
    await visitor.accept();
    const statuses = async (address: string, tries: number) => {
      const seen: number[] = [];
      for (let nth = 0; nth < tries; nth += 1) {
        const wrong = { username: "kto.to", password: "Nie-To-Haslo-1" };
        seen.push(
          (await visitor.post("/home?index", wrong, { headers: { "X-Forwarded-For": address } })).status,
        );
      }
      return seen;
    };
    expect(await statuses("203.0.113.9", 4)).toEqual([400, 400, 400, 429]);
    expect(await statuses("203.0.113.10", 1)).toEqual([400]);
  });
});
