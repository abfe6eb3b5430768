import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Browser } from "../../contract/browser";
import { register } from "../../contract/register";
import { onAnyDatabase } from "../../database";
import { ANNA } from "../../demo-customers";
import { ACT, BY_EWA, runCommand, type CommandResult } from "../../operator-command";
import { CANARIES, KANAREK, importKanarek, liveAsKanarek } from "./person-steps";
import { NOON, openTestBackend, type TestBackend } from "../backend/test-backend";
import { variablesOf } from "../backend/test-place";
import { textOfTables } from "../backend/store/whole-database";

const HER = ["--policy-no", KANAREK.policyNo];
const PLAIN = [KANAREK.username, KANAREK.policyNo, KANAREK.policyName, ...CANARIES.slice(-5)];

const erase = (way: TestBackend, ...words: string[]) =>
  runCommand(variablesOf(way.place), ["erase", ...ACT, ...words]);

/** Which of these words can be read in a table, leaving out the addresses by which requests are counted for ten minutes. */
async function found(way: TestBackend, words: readonly string[]): Promise<readonly string[]> {
  const rows = (await textOfTables(way)).filter(
    ({ table, text }) => table !== "windows" || !text.includes("|address|"),
  );
  return words.filter((word) => rows.some(({ text }) => text.includes(word)));
}

onAnyDatabase((kind) => {
  describe("portal erase --yes, next to a running portal", () => {
    let way: TestBackend;
    let life: Awaited<ReturnType<typeof liveAsKanarek>>;
    let ids: readonly string[];
    let anna: Browser;
    let others: readonly string[];
    let happened: readonly object[];
    let said: CommandResult;
    const WHAT = "select id, event, happened_at from audit_events where event <> 'data-erased' order by id";
    beforeAll(async () => {
      way = await openTestBackend({ kind });
      anna = new Browser(way);
      await anna.signIn(ANNA, "Y");
      others = await rowsOfEachCustomer(way);
      await importKanarek(way);
      life = await liveAsKanarek(way);
      const [customer] = await way.query("select customer_id from accounts where id = ?", life.accountId);
      ids = [life.accountId, String(customer?.["customer_id"])];
      expect(await found(way, [...ids, ...PLAIN])).toEqual([...ids, ...PLAIN]);
      expect((await life.device.get("/cp/api/profile")).status).toBe(200);
      await runCommand(variablesOf(way.place), ["seal-audit"]);
      happened = await way.query(WHAT);
      said = await erase(way, ...HER, "--yes");
      expect([said.code, said.stderr]).toEqual([0, ""]);
    });
    afterAll(() => way.close());

    it("[S91] leaves nothing of the person in any column of any table, nor in SQLite's files", async () => {
      expect(said.stdout).toContain("Backups from before still hold all of it");
      expect(await found(way, [...ids, ...CANARIES])).toEqual([]);
      if (kind === "sqlite")
        for (const file of readdirSync(way.dataDir).filter((name) => name.startsWith("portal.db"))) {
          const bytes = readFileSync(join(way.dataDir, file));
          for (const word of [...ids, ...PLAIN.filter((each) => !each.startsWith("198."))])
            expect(bytes.includes(word), `${word} in ${file}`).toBe(false);
        }
    });

    it("[S91] keeps what happened and when, as tombstones that still fit the seals", async () => {
      expect(await way.query(WHAT)).toEqual(happened);
      const verified = await runCommand(variablesOf(way.place), ["audit", "--verify"]);
      expect([verified.code, verified.stderr]).toEqual([0, ""]);
    });

    it("[S97] leaves an event with the operator and the reason, but without an account", async () => {
      const events = await way.query(
        "select account_id, subject, operator, reason from audit_events where event = ?",
        "data-erased",
      );
      expect(events).toEqual([{ account_id: null, subject: null, ...BY_EWA }]);
    });

    it("changes nothing of anyone else's", async () => {
      expect(await rowsOfEachCustomer(way)).toEqual(others);
      expect((await anna.get("/cp/api/profile")).status).toBe(200);
    });

    it("[S91] signs the person out everywhere, even in mid-change, and they can't sign in again", async () => {
      const { account, device, changing } = life;
      expect((await device.get("/cp/api/profile")).status).toBe(401);
      const confirm = `/home/api/user/${account.username}/login-change/confirm`;
      const payload = { newUsername: "inna.nazwa", authorizationCode: "123456" };
      expect((await changing.post(confirm, payload)).status).toBe(401);
      expect((await new Browser(way).login(account)).body).toEqual({ errorCode: "101" });
      expect((await device.login(account)).body).toEqual({ errorCode: "101" });
    });

    it("[S91] erases a person once, and an import makes them a new customer", async () => {
      expect(await erase(way, ...HER, "--yes")).toEqual({
        code: 2,
        stdout: "",
        stderr: "portal: no such customer\n",
      });
      expect((await importKanarek(way)).policyholders).toMatchObject({ new: 1 });
      expect((await register(way, KANAREK)).name).toBe(KANAREK.name);
    });
  });

  describe("portal erase", () => {
    let way: TestBackend;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
    });
    afterEach(() => way.close());

    it("without --yes only says what it would erase, in counts, with the events in archives", async () => {
      await importKanarek(way);
      await liveAsKanarek(way);
      const tenYears = NOON - Date.UTC(2016, 10, 20, 12);
      await way.change("update audit_events set happened_at = happened_at - ?", tenYears);
      const purged = await runCommand(variablesOf(way.place), ["purge"]);
      expect(purged.stdout).toContain("archived:\n  - 2016-11\n");
      const before = await textOfTables(way);
      const { code, stdout, stderr } = await erase(way, ...HER);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^done: false\nerased:\n {2}customers: 1\n {2}policies: 1\n {2}documents: 1\n/);
      const [, planned] =
        /\nkept: none\ntombstones: (\d+)\nnotes:\n {2}- Nothing was changed: add --yes /.exec(stdout) ?? [];
      for (const word of CANARIES) expect(stdout).not.toContain(word);
      expect(await textOfTables(way)).toEqual(before);
      expect(Number(planned)).toBeGreaterThan(5);
      const erased = JSON.parse((await erase(way, ...HER, "--json", "--yes")).stdout) as object;
      expect(erased).toMatchObject({ tombstones: Number(planned) });
    });

    it("[S91] erases only the account of someone whose policy is in force, and says what stays", async () => {
      await importKanarek(way, "9999-12-31");
      const { account } = await liveAsKanarek(way);
      const answer = await erase(way, "--username", account.username, "--yes");
      expect([answer.code, answer.stderr]).toEqual([0, ""]);
      expect(answer.stdout).toContain("\nkept:\n  customers: 1\n  policies: 1\n  documents: 1\n");
      const others = CANARIES.filter((word) => ![KANAREK.policyNo, KANAREK.policyName].includes(word));
      expect(await found(way, others)).toEqual(["List do Kanarkowskiej", "Wycofany list do Kanarkowskiej"]);
      expect((await erase(way, "--username", account.username, "--yes")).code).toBe(2);
      expect((await register(way, KANAREK)).name).toBe(KANAREK.name);
    });
  });
});

/** All rows except the audit's, the database's own, and counts that many customers share. */
async function rowsOfEachCustomer(way: TestBackend): Promise<string[]> {
  const rows = (await textOfTables(way)).map(({ table, text }) => `${table} ${text}`);
  return rows
    .filter(
      (row) => !/^(audit_|facts|job_successes|sqlite_)|^windows .*(\|address\||\|all\||nothing)/.test(row),
    )
    .toSorted();
}
