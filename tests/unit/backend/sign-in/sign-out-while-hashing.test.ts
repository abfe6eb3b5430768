import { expect, it, vi } from "vitest";
import { Browser, latestCode } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { bodyOf } from "../../../factor-steps";
import { begin, confirmWith, provenChanges } from "../../../proven-changes";
import { openTestBackend } from "../test-backend";

/** Runs once, while a password is compared. */
let whileHashing: (() => Promise<unknown>) | undefined;

vi.mock(import("@node-rs/argon2"), async (original) => {
  const real = await original();
  return {
    ...real,
    verify: async (...given: Parameters<typeof real.verify>) => {
      const once = whileHashing;
      whileHashing = undefined;
      await once?.();
      return real.verify(...given);
    },
  };
});

const CHANGES = provenChanges(ANNA.username);

onAnyDatabase((kind) => {
  it.each(["password", "document password, the first"])(
    "[S37] a change of the %s whose session signs out while it hashes is over",
    async (name) => {
      const change = CHANGES[name];
      if (!change) throw new Error("no such change");
      const way = await openTestBackend({ kind });
      const browser = new Browser(way);
      await browser.signIn(ANNA);
      bodyOf(await begin(browser, change));
      const code = await latestCode(way, ANNA.phone);
      const here = browser.twin();
      const signingOut = vi.fn(() => here.delete("/home/api/session"));
      whileHashing = signingOut;
      const { status, body } = await confirmWith(browser, change, code);
      expect(signingOut).toHaveBeenCalledOnce();
      expect([status, body]).toEqual([400, { errorCode: "010" }]);
      expect((await new Browser(way).login(ANNA)).status).toBe(200);
      const changed =
        "select event from audit_events where event in ('password-changed', 'password-reset', 'document-password-set')";
      expect(await way.query(changed)).toEqual([]);
      await way.close();
    },
  );
});
