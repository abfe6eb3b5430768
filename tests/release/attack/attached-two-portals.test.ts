import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startAttachedPortal, type AttachedOptions, type AttachedPortal } from "../../attached-portals";
import { ANNA, PIOTR } from "../../demo-customers";
import { Visitor } from "../../visitor";

const PUBLIC = "https://portal.example";

describe.each<[string, AttachedOptions]>([
  ["over https, with a backend that thinks it is on http", { publicOrigin: PUBLIC }],
  ["over http, with a backend that thinks it is on https", { backendOrigin: "https://backend.example" }],
])("a portal reached %s", (_, options) => {
  let portal: AttachedPortal;
  const prefix = options.publicOrigin === undefined ? "" : "__Host-";
  beforeAll(async () => {
    portal = await startAttachedPortal(options);
  });
  afterAll(() => portal.stop());

  test("signs in, trusts the device, signs out, and signs in without a code", async () => {
    const visitor = new Visitor(portal);
    await visitor.signIn(ANNA, true);
    expect((await visitor.get("/cp")).body).toContain(ANNA.policyNo);
    expect([...visitor.cookies.keys()].toSorted()).toEqual(
      ["accepted-cookies", `${prefix}browser`, `${prefix}session`, `${prefix}trusted-device`].toSorted(),
    );

    expect((await visitor.post("/home/logout")).header("Location")).toBe("/home/logout");
    expect(visitor.cookies.has(`${prefix}session`)).toBe(false);
    expect((await visitor.login(ANNA)).header("Location")).toBe("/cp");
  });

  test("[S53] gives every cookie the flags that fit the public origin", async () => {
    const visitor = new Visitor(portal);
    await visitor.accept();
    const lines = (await visitor.login(PIOTR)).lines("Set-Cookie");
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(line.startsWith(prefix), line).toBe(true);
      const flags = line
        .split("; ")
        .slice(1)
        .filter((flag) => !flag.startsWith("Max-Age="));
      const expected = ["HttpOnly", "Path=/", "SameSite=Lax", ...(prefix === "" ? [] : ["Secure"])];
      expect(flags.toSorted(), line).toEqual(expected);
    }
  });
});

describe("a portal whose backend is another server", () => {
  let portal: AttachedPortal;
  beforeAll(async () => {
    // The front portal stands behind a proxy; the backend portal trusts the front one.
    const env = { LIMIT_ADDRESS_SIGN_INS_PER_10_MINUTES: "3", TRUSTED_PROXIES: "127.0.0.1" };
    portal = await startAttachedPortal({ env });
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
