import { afterEach, expect, it } from "vitest";
import { Browser, needsNoCode } from "../../../contract/browser";
import { hasPostgres } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { openTestBackend, type TestBackend } from "../test-backend";
import { tokenOf, trustedBrowser } from "./trusted-browser";

let trusting: TestBackend;
let without: TestBackend | undefined;
afterEach(async () => {
  await without?.close();
  await trusting.close();
});

/** The same browser, at the other portal. */
function movedTo(way: TestBackend, { cookies }: Browser): Browser {
  const moved = new Browser(way);
  for (const [name, value] of cookies) moved.cookies.set(name, value);
  return moved;
}

// Two portals of one database, so it needs PostgreSQL.
it.runIf(hasPostgres)(
  "[S41] where no device may be trusted, trust ends at the start, counts for nothing, and none is given",
  async () => {
    trusting = await openTestBackend({ kind: "postgres" });
    const browser = await trustedBrowser(trusting);
    expect(await needsNoCode(browser.twin(), ANNA)).toBe(true);
    const known = await trusting.query("select count(*) as browsers from known_browsers");

    without = await openTestBackend({ place: trusting.place, trustsDevices: false });
    expect(await trusting.query("select * from trusted_devices")).toEqual([]);
    expect(without.logged.join("")).toContain('"event":"trusted-devices-ended"');
    expect(await trusting.query("select count(*) as browsers from known_browsers")).toEqual(known);

    // A portal that is about to be replaced still trusts.
    const later = await trustedBrowser(trusting);
    expect(await needsNoCode(later.twin(), ANNA)).toBe(true);
    expect(await needsNoCode(movedTo(without, later), ANNA)).toBe(false);

    const asked = new Browser(without);
    await asked.signIn(ANNA, "Y");
    expect(tokenOf(asked)).toBe("");
    expect((await asked.get("/cp/api/profile")).body).toMatchObject({ trustedDevices: [] });
  },
);
