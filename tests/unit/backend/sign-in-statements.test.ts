import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Browser, latestCode } from "../../contract/browser";
import { onEachDatabase } from "../../database";
import { ANNA } from "../../demo-customers";
import { recordStatements } from "./recorded-statements";
import { openTestBackend, type TestBackend } from "./test-backend";

/** How many statements the last release whose tokens never changed ran, without the bounds of transactions. */
const BEFORE = { password: 9, code: 19, trustedDevice: 9 };
/** What it ran in vain: a look for a pass that was just used, one for a code's state, and one for an earlier twin. */
const SAVED = { password: 1, code: 2 };

onEachDatabase((kind) => {
  describe("compared with the last release whose tokens never changed", () => {
    let way: TestBackend;
    let browser: Browser;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
      browser = new Browser(way);
    });
    afterEach(async () => {
      vi.restoreAllMocks();
      await way.close();
    });
    const count = async (work: () => Promise<unknown>) => {
      const statements = recordStatements();
      await work();
      return statements().length;
    };

    it("a sign-in with a code runs fewer statements", async () => {
      await browser.get("/home/api/user/info");
      expect(await count(() => browser.login(ANNA))).toBe(BEFORE.password - SAVED.password);
      await browser.askForCode();
      const code = await latestCode(way, ANNA.phone);
      expect(await count(() => browser.confirm(code, "Y"))).toBe(BEFORE.code - SAVED.code);
    });

    it("[S42] a sign-in from a trusted device runs one more: it changes the token", async () => {
      await browser.signIn(ANNA, "Y");
      await browser.delete("/home/api/session");
      expect(await count(() => browser.login(ANNA))).toBe(BEFORE.trustedDevice + 1);
    });
  });
});
