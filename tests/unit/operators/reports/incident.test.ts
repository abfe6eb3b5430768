import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { AuditEvent } from "~/backend/audit-event.server";
import { onAnyDatabase } from "../../../database";
import { runCommand } from "../../../operator-command";
import { variablesOf } from "../../backend/test-place";
import { openSealedAudit, type SealedAudit } from "../audit/sealed-audit";

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** An hour on a day in winter. */
const TEN = Date.UTC(2025, 0, 15, 9);
const ASKED = ["--from", "2025-01-15T10:00", "--to", "2025-01-15T11:00"];

const run = ({ way }: SealedAudit, ...words: string[]) =>
  runCommand(variablesOf(way.place), ["incident", ...(words.length > 0 ? words : ASKED), "--json"]);
interface Made {
  readonly figures: readonly { name: string; value: number; how: string }[];
  readonly longestPause: object;
  readonly operations: object[];
  readonly audit: object;
  readonly notKnown: string[];
}
const made = async (audit: SealedAudit) => JSON.parse((await run(audit)).stdout) as Made;
const figures = ({ figures: all }: Made) =>
  Object.fromEntries(all.filter(({ value }) => value > 0).map(({ name, value }) => [name, value]));

onAnyDatabase((kind) => {
  describe("portal incident", () => {
    const open = async () => {
      const audit = await openSealedAudit(kind);
      await audit.way.change("delete from audit_events");
      await audit.way.change("delete from accounts");
      await audit.write(1, { at: TEN - 8 * 24 * HOUR });
      return audit;
    };
    /** Writes an event so many minutes after ten. */
    const at = (audit: SealedAudit, minute: number, event: AuditEvent) =>
      audit.write(1, { at: TEN + minute * MINUTE, accountId: undefined, ...event });

    it("counts refused customers once each, by cause, and who got in after all", async () => {
      const audit = await open();
      const customer = randomUUID();
      await at(audit, 1, { event: "sign-in-blocked", accountId: "anna" });
      await at(audit, 2, { event: "sign-in-locked", accountId: "anna" });
      await at(audit, 3, { event: "code-not-sent", subject: customer });
      await at(audit, 4, { event: "password-right", accountId: "jan" });
      await at(audit, 5, { event: "message-refused", accountId: "jan", purpose: "login" });
      await at(audit, 6, { event: "signed-in", accountId: "anna" });
      // None of these is a customer, or in the hour.
      await at(audit, 7, { event: "sign-in-blocked", subject: "sign-in|user|1.abc" });
      await at(audit, 8, { event: "code-for-nobody", subject: "nobody|1.abc" });
      await at(audit, 60, { event: "sign-in-locked", accountId: "ewa" });
      expect(figures(await made(audit))).toEqual({
        "customers refused": 3,
        "customers refused: locked": 1,
        "customers refused: code held back": 1,
        "customers refused: code lost": 1,
        "customers refused until the end": 2,
        "right passwords without a sign-in": 1,
        minutes: 60,
        "minutes without a sign-in": 59,
        "minutes without a sign-in, a week before": 60,
        "sign-ins": 1,
        "accounts touched": 3,
      });
    });

    it("finds the longest time without a sign-in, and compares with a week before", async () => {
      const audit = await open();
      for (const minute of [0, 0, 10, 55]) await at(audit, minute, { event: "signed-in", accountId: "anna" });
      await at(audit, 30 - 7 * 24 * 60, { event: "signed-in", accountId: "anna" });
      const all = await made(audit);
      expect(figures(all)).toMatchObject({
        "sign-ins": 4,
        "minutes without a sign-in": 57,
        "sign-ins, a week before": 1,
        "minutes without a sign-in, a week before": 59,
      });
      expect(all.longestPause).toEqual({
        ...{ from: "2025-01-15T09:11:00.000Z", to: "2025-01-15T09:55:00.000Z", minutes: 44 },
      });
    });

    it("counts what became of messages, and a code that no gateway took as a refusal", async () => {
      const audit = await open();
      // A portal deletes older ones when it starts.
      const now = Date.now();
      const add = (id: string, facts: { purpose: string; state: string; took?: number }) =>
        audit.way.change(
          "insert into messages (id, customer_id, purpose, state, written_at, changed_at) values (?, 'c', ?, ?, ?, ?)",
          ...[id, facts.purpose, facts.state, now - HOUR / 2, now - HOUR / 2 + (facts.took ?? 0)],
        );
      await add("1", { purpose: "login", state: "accepted", took: 61_000 });
      await add("2", { purpose: "login", state: "given-up" });
      await add("3", { purpose: "notice", state: "given-up" });
      await add("4", { purpose: "mail-notice", state: "refused" });
      const iso = (time: number) => new Date(time).toISOString();
      const { stdout } = await run(audit, "--from", iso(now - HOUR), "--to", iso(now));
      expect(figures(JSON.parse(stdout) as Made)).toMatchObject({
        "messages lost": 3,
        "messages: accepted": 1,
        "messages: refused": 1,
        "messages: given-up": 2,
        "messages late": 1,
        "customers refused: code lost": 1,
      });
    });

    it("counts accounts touched, changed, read, seen by staff; says operations and how far seals go", async () => {
      const audit = await open();
      await audit.seal();
      await at(audit, 1, { event: "password-reset", accountId: "anna" });
      await at(audit, 1, { event: "document-downloaded", accountId: "anna" });
      const source = { address: "", requestId: "", deviceName: "", audited: [] };
      const act = { operator: "ewa.z", reason: "call" };
      await audit.way.change(
        "insert into audit_events (id, happened_at, event, account_id, address, request_id, device_name, operator, reason) values (?, ?, 'account-shown', 'jan', '', '', '', ?, ?)",
        ...[source.requestId + "x", TEN, act.operator, act.reason],
      );
      await at(audit, 2, { event: "maintenance-begun" });
      const all = await made(audit);
      expect(figures(all)).toMatchObject({
        ...{ "accounts touched": 1, "accounts changed": 1 },
        ...{ "accounts whose documents were read": 1, "accounts touched by staff": 1 },
      });
      expect(all.operations).toEqual([
        { at: "2025-01-15T09:02:00.000Z", event: "maintenance-begun", operator: null },
      ]);
      expect(all.audit).toEqual({ events: 4, unsealed: 4, lastSeal: 1 });
      expect(all.notKnown[0]).toContain("What became of messages is kept for 30 days");
      for (const { how } of all.figures) expect(how).not.toBe("");
    });

    it("refuses times that are none, the wrong way round, or in the future", async () => {
      const audit = await open();
      for (const [from, to] of [
        ["2025-01-15T11:00", "2025-01-15T10:00"],
        ["2025-02-30", "2025-03-01"],
        ["9999-01-01", "9999-01-02"],
      ] as const)
        expect((await run(audit, "--from", from, "--to", to)).code).toBe(2);
    });
  });
});
