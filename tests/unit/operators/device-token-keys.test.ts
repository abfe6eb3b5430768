import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rewrapKeys } from "~/backend/secrets/rewrap-keys.server";
import { makeKeyring, type RootKey } from "~/backend/secrets/keyring.server";
import { needsNoCode } from "../../contract/browser";
import type { Way } from "../../contract/way";
import { onAnyDatabase } from "../../database";
import { ANNA } from "../../demo-customers";
import { openTestBackend, type TestBackend } from "../backend/test-backend";
import { openStoreBeside } from "../backend/test-place";
import { tokenOf, trustedBrowser, withToken } from "../backend/sign-in/trusted-browser";

const FIRST: RootKey = { version: 1, key: randomBytes(32) };
const SECOND: RootKey = { version: 2, key: randomBytes(32) };

onAnyDatabase((kind) => {
  describe("[S42, S84] a trusted device's token under a new key", () => {
    let portal: TestBackend;
    /** The portal that is running now, across restarts with other keys. */
    const way: Way = {
      fetch: (path, init) => portal.fetch(path, init),
      outbox: () => portal.outbox(),
      close: () => portal.close(),
    };
    beforeEach(async () => {
      portal = await openTestBackend({ kind, keyring: makeKeyring([FIRST]) });
    });
    afterEach(() => way.close());

    const restartWith = async (...keys: [RootKey, ...RootKey[]]) => {
      await portal.backend.close();
      portal = await openTestBackend({ kind, keyring: makeKeyring(keys), place: portal.place });
    };
    const retireFirstKey = async () => {
      await portal.change("delete from accounts where username <> ?", ANNA.username);
      await portal.change("delete from codes");
      await portal.change("delete from outbox");
      const store = await openStoreBeside(portal.place);
      const { left } = await rewrapKeys(store, makeKeyring([SECOND, FIRST]));
      await store.close();
      expect([...left.keys()]).not.toContain(1);
    };

    it("leads to the same new one as before if the answer got lost under the old key", async () => {
      const browser = await trustedBrowser(way);
      const lost = withToken(browser, tokenOf(browser));
      expect(await needsNoCode(lost, ANNA)).toBe(true);
      await restartWith(SECOND, FIRST);
      const again = withToken(browser, tokenOf(browser));
      expect(await needsNoCode(again, ANNA)).toBe(true);
      expect(tokenOf(again)).toBe(tokenOf(lost));
      expect(await needsNoCode(withToken(lost, tokenOf(lost)), ANNA)).toBe(true);
      expect(await needsNoCode(withToken(browser, tokenOf(browser)), ANNA)).toBe(false);
    });

    it("stays good if the key that its successor comes from is gone, until the successor is used", async () => {
      const browser = await trustedBrowser(way);
      const lost = withToken(browser, tokenOf(browser));
      expect(await needsNoCode(lost, ANNA)).toBe(true);
      await restartWith(SECOND, FIRST);
      // Moves the password to the new key, too.
      expect(await needsNoCode(withToken(browser, tokenOf(browser)), ANNA)).toBe(true);
      await retireFirstKey();
      await restartWith(SECOND);
      for (let nth = 0; nth < 2; nth += 1) {
        const again = withToken(browser, tokenOf(browser));
        expect(await needsNoCode(again, ANNA)).toBe(true);
        expect(tokenOf(again)).toBe(tokenOf(browser));
      }
      expect(await needsNoCode(withToken(lost, tokenOf(lost)), ANNA)).toBe(true);
      expect(await needsNoCode(withToken(browser, tokenOf(browser)), ANNA)).toBe(false);
    });
  });
});
