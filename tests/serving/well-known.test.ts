import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../http-request";
import { startPortal, type Portal } from "../portal";

const ORIGIN = "https://portal.insurer.example";
const DAY = 24 * 60 * 60 * 1000;

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal({
    publicOrigin: ORIGIN,
    env: { BRAND_SECURITY_CONTACT: "mailto:security@insurer.example" },
  });
});
afterAll(() => portal.stop());

const get = (path: string) => ask({ port: portal.port, path, headers: { Host: new URL(ORIGIN).host } });

describe("[S102] /.well-known", () => {
  test("security.txt says whom to tell about a weakness, and doesn't go out of date (RFC 9116)", async () => {
    const { status, header, body } = await get("/.well-known/security.txt");
    expect([status, header("Content-Type")]).toEqual([200, "text/plain; charset=utf-8"]);
    const fields = new Map(
      body
        .trimEnd()
        .split("\n")
        .map((line) => line.split(": ", 2) as [string, string]),
    );
    expect(fields.get("Contact")).toBe("mailto:security@insurer.example");
    expect(fields.get("Canonical")).toBe(`${ORIGIN}/.well-known/security.txt`);
    const validFor = Date.parse(fields.get("Expires") ?? "") - Date.now();
    expect(validFor).toBeGreaterThan(DAY);
    expect(validFor).toBeLessThan(365 * DAY);
  });

  test("change-password leads to the screen", async () => {
    expect((await get("/.well-known/change-password")).header("Location")).toBe("/home/change-password");
  });
});
