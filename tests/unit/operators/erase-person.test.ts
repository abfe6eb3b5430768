import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Browser } from "../../contract/browser";
import { register } from "../../contract/register";
import { onAnyDatabase } from "../../database";
import { ANNA, freshCustomer } from "../../demo-customers";
import { ACT, BY_EWA, runCommand } from "../../operator-command";
import { CANARIES, KANAREK, importKanarek, liveAsKanarek } from "./person-steps";
import { NOON, openTestBackend, type TestBackend } from "../backend/test-backend";
import { variablesOf } from "../backend/test-place";
import { textOfTables } from "../backend/store/whole-database";

onAnyDatabase((kind) => {
  describe("portal erase, next to a running portal", () => {
    let way: TestBackend;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
    });
    afterEach(() => way.close());

    const erase = (...words: string[]) => runCommand(variablesOf(way.place), ["erase", ...ACT, ...words]);
    const HER = ["--policy-no", KANAREK.policyNo];

    /** The text of every table, without the addresses by which requests are counted: these expire after ten minutes. */
    const readable = async () =>
      (await textOfTables(way)).filter(
        ({ table, text }) => table !== "windows" || !text.includes("|address|"),
      );
    const found = async (words: readonly string[]) => {
      const rows = await readable();
      return words.filter((word) => rows.some(({ text }) => text.includes(word)));
    };

    it("[S91] leaves nothing of the person in any column of any table, nor in SQLite's files", async () => {
      await importKanarek(way);
      const { accountId } = await liveAsKanarek(way);
      const [customer] = await way.query("select customer_id from accounts where id = ?", accountId);
      const ids = [accountId, String(customer?.["customer_id"])];
      const plain = [KANAREK.username, KANAREK.policyNo, KANAREK.policyName, ...CANARIES.slice(-5)];
      expect(await found([...ids, ...plain])).toEqual([...ids, ...plain]);

      const { code, stdout, stderr } = await erase(...HER, "--yes");
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain("Backups from before still hold all of it");
      expect(await found([...ids, ...CANARIES])).toEqual([]);
      if (kind === "sqlite")
        for (const file of readdirSync(way.dataDir).filter((name) => name.startsWith("portal.db"))) {
          const bytes = readFileSync(join(way.dataDir, file));
          for (const word of [...ids, ...plain.filter((each) => !each.startsWith("198."))])
            expect(bytes.includes(word), `${word} in ${file}`).toBe(false);
        }
    });

    it("[S91] signs the person out everywhere, even in mid-change, and they can't sign in again", async () => {
      await importKanarek(way);
      const { account, device, changing } = await liveAsKanarek(way);
      expect((await device.get("/cp/api/profile")).status).toBe(200);
      expect((await erase(...HER, "--yes")).code).toBe(0);
      expect((await device.get("/cp/api/profile")).status).toBe(401);
      const confirm = `/home/api/user/${account.username}/login-change/confirm`;
      const payload = { newUsername: "inna.nazwa", authorizationCode: "123456" };
      expect((await changing.post(confirm, payload)).status).toBe(401);
      expect((await new Browser(way).login(account)).body).toEqual({ errorCode: "101" });
      expect((await device.login(account)).body).toEqual({ errorCode: "101" });
    });

    it("[S91] erases a person once, and an import makes them a new customer", async () => {
      await importKanarek(way);
      await register(way, KANAREK);
      expect((await erase(...HER, "--yes")).code).toBe(0);
      expect(await erase(...HER, "--yes")).toEqual({
        code: 2,
        stdout: "",
        stderr: "portal: no such customer\n",
      });
      expect((await importKanarek(way)).policyholders).toMatchObject({ new: 1 });
      expect((await register(way, KANAREK)).name).toBe(KANAREK.name);
    });

    it("[S97] leaves an event with the operator and the reason, but without an account", async () => {
      await importKanarek(way);
      await liveAsKanarek(way);
      await erase(...HER, "--yes");
      expect(
        await way.query(
          "select account_id, subject, operator, reason from audit_events where event = ?",
          "data-erased",
        ),
      ).toEqual([{ account_id: null, subject: null, ...BY_EWA }]);
    });

    it("[S91] keeps what happened and when, as tombstones that still fit the seals", async () => {
      await importKanarek(way);
      await liveAsKanarek(way);
      const seal = () => runCommand(variablesOf(way.place), ["seal-audit"]);
      await seal();
      const what = "select id, event, happened_at from audit_events where event <> 'data-erased' order by id";
      const before = await way.query(what);
      await erase(...HER, "--yes");
      expect(await way.query(what)).toEqual(before);
      const verified = await runCommand(variablesOf(way.place), ["audit", "--verify"]);
      expect([verified.code, verified.stderr]).toEqual([0, ""]);
    });

    it("without --yes only says what it would erase, in counts", async () => {
      await importKanarek(way);
      await liveAsKanarek(way);
      const before = await textOfTables(way);
      const { code, stdout, stderr } = await erase(...HER);
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toMatch(/^done: false\nerased:\n {2}customers: 1\n {2}policies: 1\n {2}documents: 1\n/);
      expect(stdout).toMatch(/\nkept: none\ntombstones: \d+\nnotes:\n {2}- Nothing was changed: add --yes /);
      for (const word of CANARIES) expect(stdout).not.toContain(word);
      expect(await textOfTables(way)).toEqual(before);
    });

    it("without --yes counts the events in archives too, as many as --yes then erases", async () => {
      await importKanarek(way);
      await liveAsKanarek(way);
      const tenYears = NOON - Date.UTC(2016, 10, 20, 12);
      await way.change("update audit_events set happened_at = happened_at - ?", tenYears);
      expect((await runCommand(variablesOf(way.place), ["purge"])).stdout).toContain(
        "archived:\n  - 2016-11\n",
      );
      const tombstones = async (...words: string[]) =>
        (JSON.parse((await erase(...HER, "--json", ...words)).stdout) as { tombstones: number }).tombstones;
      const planned = await tombstones();
      expect(planned).toBeGreaterThan(5);
      expect(await tombstones("--yes")).toBe(planned);
    });

    it("[S91] erases only the account of someone whose policy is in force, and says what stays", async () => {
      await importKanarek(way, "9999-12-31");
      const { account } = await liveAsKanarek(way);
      const answer = await erase("--username", account.username, "--yes");
      expect([answer.code, answer.stderr]).toEqual([0, ""]);
      expect(answer.stdout).toContain("\nkept:\n  customers: 1\n  policies: 1\n  documents: 1\n");
      const others = CANARIES.filter((word) => ![KANAREK.policyNo, KANAREK.policyName].includes(word));
      expect(await found(others)).toEqual(["List do Kanarkowskiej", "Wycofany list do Kanarkowskiej"]);
      expect((await erase("--username", account.username, "--yes")).code).toBe(2);
      expect((await register(way, KANAREK)).name).toBe(KANAREK.name);
    });

    it("changes nothing of anyone else's", async () => {
      const other = await register(way, freshCustomer(1));
      const anna = new Browser(way);
      await anna.signIn(ANNA, "Y");
      const before = await rowsOfEachCustomer(way);
      await importKanarek(way);
      await liveAsKanarek(way);
      const [message] = (await way.outbox()).filter(({ to }) => to === ANNA.phone);
      await erase(...HER, "--yes");
      expect(await rowsOfEachCustomer(way)).toEqual(before);
      expect((await way.outbox()).map(({ text }) => text)).toContain(message?.text);
      expect((await anna.get("/cp/api/profile")).status).toBe(200);
      expect((await other.browser.get("/cp/api/profile")).status).toBe(200);
    });

    it.each<[string, string[], string]>([
      ["no operator", ["--policy-no", KANAREK.policyNo, "--reason", "x", "--yes"], "--operator"],
      ["no reason", ["--policy-no", KANAREK.policyNo, "--operator", "x", "--yes"], "--reason"],
      ["no one named", [...ACT, "--yes"], "expected one of --username"],
      ["no such customer", ["--username", "nikt.taki", ...ACT, "--yes"], "no such customer"],
      ["an extra word", [...HER, ...ACT, "--yes", "now"], "too many arguments"],
    ])(
      "answers nonsense with one line and exit 2, and changes nothing: %s",
      async (_what, words, problem) => {
        const before = await textOfTables(way);
        const { code, stdout, stderr } = await runCommand(variablesOf(way.place), ["erase", ...words]);
        expect([code, stdout]).toEqual([2, ""]);
        expect(stderr).toMatch(/^portal: [^\n]+\n$/);
        expect(stderr).toContain(problem);
        expect(await textOfTables(way)).toEqual(before);
      },
    );
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
