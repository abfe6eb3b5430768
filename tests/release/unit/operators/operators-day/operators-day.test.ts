import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { PREVIOUS_RELEASE_MIGRATION } from "~/backend/store/previous-release.server";
import { CODE_STEPS, start } from "../../../../account-steps";
import { onAnyDatabase } from "../../../../database";
import { KRYSTYNA, type RegisteredCustomer } from "../../../../demo-customers";
import { register } from "../../../../new-account";
import { ACT } from "../../../../operator-command";
import { HAS_NGINX } from "../../../../topology/nginx";
import { CANARIES, KANAREK, kanarekLine, writeImport } from "../../../../unit/operators/person-steps";
import { Visitor } from "../../../../visitor";
import { type Installation, newKey, prepare } from "./installation";

const HER = ["--policy-no", KANAREK.policyNo];
const { name, phone, pid, policyNo } = KRYSTYNA;
/** Another policyholder. */
const OTHER = {
  kind: "individual",
  name,
  phone,
  pid,
  policies: [{ policyNo, name: "OC", validFrom: "2026-03-01", validTo: "2027-02-28" }],
};
/** On PostgreSQL the operator's timer purges, and has not yet. */
const NOT_PURGED = { name: "last purge", level: "warning" };

onAnyDatabase((kind) => {
  it.runIf(HAS_NGINX)(
    "an operator gets through a day with the commands alone, while customers use the portal",
    async () => {
      const [first, second] = [newKey(1), newKey(2)];
      const day = await prepare(kind, first);
      onTestFinished(() => day.remove());
      const { does, run, site } = day;

      // Migrates the tables of the previous release, which could still serve.
      await day.makeTablesUpTo(PREVIOUS_RELEASE_MIGRATION);
      expect((await run(["migrate", "--check"])).stdout).toContain("\npresentReleaseCanServe: true\n");
      await does("migrate");
      await does("migrate", "--check");
      await day.start();
      await findsNoProblem(day, ...(kind === "postgres" ? [NOT_PURGED] : []));
      const file = writeImport(join(day.folder, "import"), [kanarekLine(), OTHER]);
      expect(await does("import", file)).toContain("Policyholders: 2 new");

      // A backup, which is restored after a customer has changed her password.
      const { account } = await register(site, KANAREK);
      const browser = new Visitor(site);
      await browser.signIn(account, true);
      const restore = await backsUp(day);
      const { path, fields, next } = CODE_STEPS["change-password"];
      await start(browser, path, { intent: "send-code" });
      const authorizationCode = await site.lastCode(account.phone);
      const { header } = await start(browser, path, { authorizationCode, ...fields() });
      expect(header("Location")).toBe(next);
      await day.stop();
      await restore();
      await day.start();
      expect((await browser.get("/cp/api/profile")).status).toBe(401);
      expect((await browser.login(account)).header("Location")).toBe("/home/mfa");
      await browser.signIn(account);
      await sealsTheAudit(day);

      // A new key, until the old one is needed no more.
      await day.start(`${first},${second}`);
      await day.start(`${second},${first}`);
      const left = async () =>
        /version: 1\n {4}left:(.*\n(?: {6}.*\n)*)/.exec(await does("rewrap-keys"))?.[1]?.trim();
      expect(await left()).toContain("passwords not used since then: 1");
      await new Visitor(site).signIn(account);
      expect(await left()).toMatch(/^codes: \d+$/);
      await day.query("update codes set ends_at = 0");
      expect(await does("purge")).toMatch(/^ {2}codes: [1-9]/m);
      expect(await left()).toBe("none");
      await day.start(second);
      await new Visitor(site).signIn(account);
      await sealsTheAudit(day);

      // She is erased, and the audit keeps what happened.
      const events = await eventsOf(day, ...HER);
      expect(events).toEqual(expect.arrayContaining(["account-registered", "device-trusted", "signed-in"]));
      // The change happened after the backup.
      expect(events).not.toContain("password-changed");
      expect(await does("erase", ...HER, ...ACT, "--yes")).toMatch(/^done: true\n[^]*\n {2}customers: 1\n/);
      const all = await does("audit", ...ACT, "--format", "jsonl");
      expect(all).toContain('"event":"data-erased"');
      for (const word of CANARIES) expect(all).not.toContain(word);
      expect((await browser.get("/cp/api/profile")).status).toBe(401);
      expect(await refusalOf(new Visitor(site), account)).toBe("101");
      await register(site, KRYSTYNA);
      await sealsTheAudit(day);
      expect(await verifiesTheAudit(day)).toEqual({ code: 0, unsealed: 0, findings: [] });

      expect(await does("purge")).toContain("\narchived: none\n");
      await findsNoProblem(day);
      await day.query("update audit_events set reason = 'none' where event = 'database-restored'");
      expect(await verifiesTheAudit(day)).toMatchObject({ code: 1, findings: [expect.any(String)] });
    },
  );
});

/** Every check is fine but these, and perhaps that of the test machine's disk. */
async function findsNoProblem(
  { does }: Installation,
  ...but: readonly { readonly name: string; readonly level: string }[]
): Promise<void> {
  const { checks } = JSON.parse(await does("doctor", "--json")) as {
    checks: { name: string; level: string }[];
  };
  expect(checks.length).toBeGreaterThanOrEqual(11);
  const problems = checks.filter((check) => check.name !== "disk" && check.level !== "ok");
  expect(problems.map((check) => ({ name: check.name, level: check.level }))).toEqual(but);
}

/** Makes a backup beside the portal, with the backup role. Returns a function to restore it once the portal stopped. */
async function backsUp({ folder, server, run, does }: Installation): Promise<() => Promise<void>> {
  const [key, backups] = [join(folder, "backup-key.txt"), join(folder, "backups")];
  const made = JSON.parse(await does("backup-key", "--output", key, "--json")) as { recipient: string };
  mkdirSync(backups);
  const macKey = (await does("backup-key", "--mac")).trim();
  const { code, stdout } = await run(["backup", "--json"], {
    ...(server && {
      DATABASE_URL: server.backupUrl,
      MIGRATION_DATABASE_URL: "",
      DATA_KEYS: "",
      BACKUP_MAC_KEY: macKey,
      PORTAL_MODE: "demo",
    }),
    BACKUP_DIR: backups,
    BACKUP_RECIPIENTS: made.recipient,
  });
  expect(code).toBe(0);
  const { file } = JSON.parse(stdout) as { file: string };
  return async () => {
    await server?.empty();
    await does("restore", "--input", file, "--identity", key, ...ACT);
  };
}

/** Seals the events so far, with the sealing role. */
async function sealsTheAudit({ server, run }: Installation): Promise<void> {
  const { code, stderr } = await run(["seal-audit"], server && { DATABASE_URL: server.auditUrl });
  expect([code, stderr]).toEqual([0, ""]);
}

async function eventsOf({ does }: Installation, ...words: readonly string[]): Promise<string[]> {
  const lines = (await does("audit", ...words, ...ACT, "--format", "jsonl")).trim().split("\n");
  return lines.map((line) => (JSON.parse(line) as { event: string }).event);
}

/** The findings of verifying the audit, and its exit code. */
async function verifiesTheAudit({ run }: Installation) {
  const { code, stdout } = await run(["audit", "--verify", "--json"]);
  const { unsealed, findings } = JSON.parse(stdout) as { unsealed: number; findings: string[] };
  return { code, unsealed, findings };
}

async function refusalOf(browser: Visitor, { username, password }: RegisteredCustomer): Promise<unknown> {
  const { body } = await browser.call("POST", "/home/api/auth/login", { username, password });
  return (JSON.parse(body) as { errorCode?: unknown }).errorCode;
}
