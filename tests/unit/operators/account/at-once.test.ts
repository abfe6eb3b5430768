import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  barAccount,
  enableAccount,
  endSessions,
  forgetDevices,
  type SupportAct,
} from "~/backend/support/account-state.server";
import { resetCaps } from "~/backend/support/customer-caps.server";
import { unlockAccount } from "~/backend/support/sign-in-locks.server";
import { Browser } from "../../../contract/browser";
import { hasPostgres, onRacingDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { lock, signIn } from "../../backend/notices/notice-steps";
import { duringSignIn } from "../../backend/sign-in/sign-in-under-way";
import { NOON, fifty, openTestBackend, type TestBackend } from "../../backend/test-backend";
import { accountIdOf, bySupport, supportBeside } from "./help-desk";

interface Beside {
  readonly way: TestBackend;
  readonly deps: Awaited<ReturnType<typeof supportBeside>>;
  readonly act: () => SupportAct;
}

/** Opens a portal, and the commands' dependencies over a second store. */
async function openBeside(kind: "sqlite" | "postgres"): Promise<Beside> {
  const way = await openTestBackend({ kind });
  const deps = await supportBeside(way, () => NOON);
  const accountId = await accountIdOf(way);
  return { way, deps, act: () => ({ accountId, source: bySupport() }) };
}

const events = (way: TestBackend) =>
  way.query(
    "select event, count(*) as count from audit_events where operator is not null group by event order by event",
  );

onRacingDatabase((kind) => {
  describe("[S97] fifty support acts at once", () => {
    let beside: Beside;
    beforeEach(async () => {
      beside = await openBeside(kind);
    });
    afterEach(async () => {
      await beside.deps.store.close();
      await beside.way.close();
    });

    it("of the same kind change an account once, and leave one event", async () => {
      const { way, deps, act } = beside;
      await signIn(way, ANNA, "Y");
      await lock(way);
      const unlocked = await fifty(() => unlockAccount(deps, act()));
      expect(unlocked.filter(({ timedLocks }) => timedLocks > 0)).toHaveLength(1);
      const forgotten = await fifty(() => forgetDevices(deps, act()));
      expect(forgotten.filter(({ trustedDevices }) => trustedDevices > 0)).toHaveLength(1);
      const customerId = String(
        (await way.query("select customer_id from accounts where username = ?", ANNA.username))[0]?.[
          "customer_id"
        ],
      );
      const caps = await fifty(() => {
        const { accountId, source } = act();
        return resetCaps(deps, source, { customerId, accountId });
      });
      expect(caps.filter((reset) => reset.length > 0)).toHaveLength(1);
      const ended = await fifty(() => endSessions(deps, act()));
      expect(ended.filter(({ sessions }) => sessions > 0)).toHaveLength(1);
      const disabled = await fifty(() => barAccount(deps, act(), "disabled"));
      expect(disabled.filter(({ kind: result }) => result === "changed")).toHaveLength(1);
      const each = [
        "account-disabled",
        "account-unlocked",
        "caps-reset",
        "devices-forgotten",
        "sessions-ended",
      ];
      expect(await events(way)).toEqual(each.map((event) => ({ event, count: 1 })));
    });

    it("of all kinds, while the customer signs in, leave the account as the last one set it", async () => {
      const { way, deps, act } = beside;
      const kinds = [
        () => barAccount(deps, act(), "disabled"),
        () => enableAccount(deps, act()),
        () => endSessions(deps, act()),
        () => forgetDevices(deps, act()),
        () => unlockAccount(deps, act()),
      ];
      const signIns = fifty(async (nth) => (nth < 10 ? (await new Browser(way).login(ANNA)).status : 200));
      await fifty((nth): Promise<unknown> => kinds[nth % kinds.length]?.() ?? Promise.resolve());
      for (const status of await signIns) expect([200, 400]).toContain(status);
      await barAccount(deps, act(), "disabled");
      expect(await way.query("select id from sessions")).toEqual([]);
      await enableAccount(deps, act());
      await signIn(way, ANNA);
    });
  });
});

describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
  it("[S97] end-sessions also ends a session that a sign-in is still creating", async () => {
    const { way, deps, act } = await openBeside("postgres");
    const { browser, signedIn, value } = await duringSignIn(way, () => endSessions(deps, act()));
    expect([signedIn.status, value.sessions]).toEqual([200, 1]);
    expect((await browser.get("/cp/api/profile")).status).toBe(401);
    await deps.store.close();
    await way.close();
  });
});
