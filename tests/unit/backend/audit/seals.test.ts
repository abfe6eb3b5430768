import { randomBytes } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { Browser } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { onAnyDatabase, onRacingDatabase } from "../../../database";
import { fifty, openTestBackend } from "../test-backend";
import { openSealedAudit } from "../../operators/audit/sealed-audit";

/** Manipulations by someone with the right to change the tables, and the finding of each. */
const TAMPERING: readonly (readonly [string, string, string])[] = [
  [
    "changed",
    "update audit_events set account_id = 'jan' where seq = (select min(seq) + 4 from audit_events)",
    "an event was changed",
  ],
  [
    "given another time",
    "update audit_events set happened_at = happened_at - 1 where seq = (select min(seq) from audit_events)",
    "an event was changed",
  ],
  [
    "removed",
    "delete from audit_events where seq = (select min(seq) + 4 from audit_events)",
    "3 sealed, 2 found",
  ],
  [
    "doubled among sealed ones",
    `insert into audit_events (seq, id, happened_at, event, account_id, address, request_id, device_name)
      select seq + 1000, id, happened_at, event, account_id, address, request_id, device_name
      from audit_events where seq = (select min(seq) from audit_events)`,
    "stored more than once",
  ],
  [
    "passed off as erased",
    `update audit_events set account_id = null, erased_hash = '1.hash.mac'
      where seq = (select min(seq) from audit_events)`,
    "erased, but not by the portal",
  ],
  [
    "left without its seal",
    "delete from audit_seals where no = 1",
    "it was changed, or the one before it was changed or removed",
  ],
  ["put under a seal with another count", "update audit_seals set events = 2 where no = 2", "it was changed"],
];

onAnyDatabase((kind) => {
  describe("the sealed audit", () => {
    it("[S95] is whole after a portal's sign-ins, and says how many events no seal vouches for yet", async () => {
      const { way, seal, verify } = await openSealedAudit(kind);
      await new Browser(way).signIn(ANNA, "Y");
      const sealed = await seal();
      expect(sealed).toBeGreaterThanOrEqual(4);
      await new Browser(way).login(ANNA);
      const { events, seals, unsealed, findings } = await verify();
      expect({ seals, findings }).toEqual({ seals: 1, findings: [] });
      // A crash between an event and its seal leaves nothing to find.
      expect(events - unsealed).toBe(sealed);
      expect(unsealed).toBeGreaterThan(0);
    });

    it.each(TAMPERING)("[S95] shows that an event was %s", async (_what, statement, finding) => {
      const { way, verify } = await openSealedAudit(kind, 3);
      expect((await verify()).findings).toEqual([]);
      await way.change(statement);
      expect((await verify()).findings.join("\n")).toContain(finding);
    });

    it("[S95] shows that two events have changed places", async () => {
      const { way, verify } = await openSealedAudit(kind, 3);
      const rows = await way.query("select seq from audit_events order by seq limit 2");
      const [one, other] = rows.map(({ seq }) => Number(seq));
      for (const [from, to] of [
        [one, 999],
        [other, one],
        [999, other],
      ])
        await way.change("update audit_events set seq = ? where seq = ?", to, from);
      expect((await verify()).findings.join("\n")).toContain("an event was changed, or their order was");
    });

    it("[S95] shows that it was sealed again with another key", async () => {
      const { way, seal, verify } = await openSealedAudit(kind, 1);
      const other = makeKeyring([{ version: 1, key: randomBytes(32) }]);
      await way.change("delete from audit_seals");
      await seal(other);
      expect((await verify()).findings.join("\n")).toContain("it was changed");
    });

    it("[S95] is sealed by the portal itself, where its role may do everything", async () => {
      const way = await openTestBackend({
        kind,
        limits: { ...defaultLimits("demo"), AUDIT_SEAL_SECONDS: 0.05 },
      });
      await new Browser(way).login(ANNA);
      await vi.waitFor(async () => {
        const [seal] = await way.query("select max(through_seq) as last from audit_seals");
        const [event] = await way.query("select max(seq) as last from audit_events");
        expect(seal?.["last"]).toBe(event?.["last"]);
      });
      await way.close();
    });

    it("gets no new seal while nothing happens", async () => {
      const { seal, verify } = await openSealedAudit(kind, 1);
      const { seals } = await verify();
      expect([await seal(), await seal()]).toEqual([0, 0]);
      expect((await verify()).seals).toBe(seals);
    });
  });
});

onRacingDatabase((kind) => {
  describe("the sealed audit at once", () => {
    it("has each event sealed once, however many seal at once", async () => {
      const { write, seal, verify } = await openSealedAudit(kind);
      await write(20);
      const before = await verify();
      const sealed = await fifty(() => seal());
      expect(sealed.reduce((sum, count) => sum + count)).toBe(before.events);
      expect(await verify()).toMatchObject({ unsealed: 0, findings: [] });
    });

    it("is whole when events arrive while it is sealed", async () => {
      const { way, seal, verify } = await openSealedAudit(kind);
      const signIns = fifty(() => new Browser(way).login(ANNA));
      const done = signIns.then(() => true);
      while (!(await Promise.race([done, nextTurn(false)]))) await seal();
      await signIns;
      await seal();
      expect(await verify()).toMatchObject({ unsealed: 0, findings: [] });
    });
  });
});
