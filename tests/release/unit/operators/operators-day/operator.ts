import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { PREVIOUS_RELEASE_MIGRATION } from "~/backend/store/previous-release.server";
import { DAY } from "~/platform/time.server";
import { ANNA, KRYSTYNA, type DemoCustomer } from "../../../../demo-customers";
import { ACT } from "../../../../operator-command";
import {
  CANARIES,
  KANAREK,
  kanarekLine,
  PREMIUM,
  writeImport,
} from "../../../../unit/operators/person-steps";
import type { Installation } from "./installation";

const HER = ["--policy-no", KANAREK.policyNo];
/** The events about her that must be in the audit, in any order. */
const HER_DAY = [
  "account-registered",
  "sign-in-locked",
  "account-shown",
  "account-unlocked",
  "signed-in",
  "device-trusted",
  "data-exported",
  "details-changed",
];
const YEAR = { validFrom: "2026-03-01", validTo: "2027-02-28" };

const lineOf = ({ name, phone, pid, policyNo }: DemoCustomer) => ({
  ...{ kind: "individual", name, phone, pid },
  policies: [{ policyNo, name: "OC", ...YEAR }],
});

/** Upgrades the tables of the release before, which could still serve, and finds no further migration to run. */
export async function upgrades({ run, does, makeTablesUpTo }: Installation): Promise<void> {
  expect((await run(["migrate", "--check"])).code).toBe(1);
  await makeTablesUpTo(PREVIOUS_RELEASE_MIGRATION);
  const { code, stdout } = await run(["migrate", "--check"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("\npresentReleaseCanServe: true\n")]);
  await does("migrate");
  await does("migrate", "--check");
}

/** Every check is fine but these, and perhaps that of the test machine's disk. */
export async function findsNoProblem(
  { does }: Installation,
  ...but: readonly { readonly name: string; readonly level: string }[]
): Promise<void> {
  const { checks } = JSON.parse(await does("doctor", "--json")) as {
    checks: { name: string; level: string }[];
  };
  expect(checks.length).toBeGreaterThanOrEqual(11);
  const problems = checks.filter(({ name, level }) => name !== "disk" && level !== "ok");
  expect(problems.map(({ name, level }) => ({ name, level }))).toEqual(but);
}

/** Her name in an import. */
interface Differing {
  readonly name?: string;
}

/** A file with three policyholders, Zenobia with a document. */
function importFile({ folder }: Installation, hers: Differing, ...more: readonly object[]) {
  return writeImport(join(folder, "import"), [
    { ...kanarekLine(), ...hers },
    lineOf(ANNA),
    lineOf(KRYSTYNA),
    ...more,
  ]);
}

/** Imports three policyholders. */
export async function imports(day: Installation, differing: Differing, counts: string): Promise<void> {
  expect(await day.does("import", importFile(day, differing))).toContain(counts);
}

/** Rehearses the import of a file with a broken line, which changes nothing, and has the file refused as a whole. */
export async function refusesABrokenFile(day: Installation): Promise<void> {
  const file = importFile(day, { name: "Nie Ona" }, { kind: "individual" });
  const rehearsed = await day.run(["import", file, "--dry-run"]);
  expect(rehearsed.stderr).toMatch(/^line 1: changes name\n[^]*^line 4: name: expected [^\n]+\n$/m);
  expect(rehearsed.stdout).toMatch(/ 1 changed, 2 unchanged.* lines refused: 1\nNothing was changed/);
  const { code, stderr } = await day.run(["import", file, "--max-refused", "10%"]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^line 4: name: expected [^\n]+\nportal: more than 10% .*nothing was changed\n$/),
  ]);
}

/** Sends a message through the gateway, to their own phone. */
export async function triesTheGateway({ run, messagesTo }: Installation): Promise<void> {
  const own = "+48500900900";
  const { code, stdout } = await run(["send-test", "--sms", "--to", "-"], {}, `${own}\n`);
  expect([code, stdout]).toEqual([0, expect.stringContaining("gateway: webhook\nkind: accepted\n")]);
  expect(await messagesTo(own)).toBe(1);
}

/** Tells all customers something, in Polish and in English, for a day. */
export async function announces({ does }: Installation, text: string): Promise<void> {
  await does("announce", "--text", text, "--text-en", "We close at 10pm.", "--until", inADay(), ...ACT);
}

/** Closes the portal to customers for at most a day. */
export async function closesThePortal({ does }: Installation): Promise<void> {
  await does("maintenance", "on", "--until", inADay(), ...ACT);
}

const inADay = () => new Date(Date.now() + DAY).toISOString();

/** Finds out why the customer can't sign in. Returns the id of the account. */
export async function seesTheLock({ does }: Installation): Promise<string> {
  const shown = await does("account", "show", ...HER, ...ACT);
  expect(shown).toMatch(/\n {2}- where: unknown-browsers\n {4}tries: 5\n {4}lockedUntil: 20/);
  // A customer who calls may ask about the premium.
  const premiums = /^premiums:\n(?: .*\n)+/m.exec(shown)?.[0] ?? "";
  for (const told of [KANAREK.policyNo, PREMIUM.amount, PREMIUM.account]) expect(premiums).toContain(told);
  expectNothingOf(shown.replace(premiums, ""));
  return /^account: (\S+)$/m.exec(shown)?.[1] ?? "";
}

/** Exports all data of the customer, who has this name, to a folder; none of it appears on the terminal. */
export async function exports({ folder, does }: Installation, name: string): Promise<void> {
  const output = join(folder, "export");
  expectNothingOf(await does("export", ...HER, ...ACT, "--output", output), name);
  const data = readFileSync(join(output, "data.json"), "utf8");
  const { phone, email, pid, policyNo, policyName } = KANAREK;
  for (const stored of [name, phone, email, pid, policyNo, policyName]) expect(data).toContain(stored);
  expect(readdirSync(join(output, "documents"))).toHaveLength(1);
}

/** Makes a backup beside the portal, with the backup role. Returns a function to restore it once the portal stopped. */
export async function backsUp({ folder, server, run, does }: Installation): Promise<() => Promise<void>> {
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

/** Lets every code expire, and purges. */
export async function purgesAMonthLater({ query, does }: Installation): Promise<void> {
  await query("update codes set ends_at = 0");
  expect(await does("purge")).toMatch(/^ {2}codes: [1-9]/m);
}

/** Seals the events so far, with the sealing role. */
export async function sealsTheAudit({ server, run }: Installation): Promise<void> {
  const { code, stderr } = await run(["seal-audit"], server && { DATABASE_URL: server.auditUrl });
  expect([code, stderr]).toEqual([0, ""]);
}

/** Finds the customer's events by the account, and the readings of the audit by the event. */
export async function seesTheDay(day: Installation, accountId: string): Promise<void> {
  const theirs = await eventsOf(day, "--account", accountId);
  expect(theirs).toEqual(expect.arrayContaining(HER_DAY));
  // The change happened after the backup.
  expect(theirs).not.toContain("password-changed");
  const asked = ["--event", "database-restored", "audit-shown"];
  expect(await eventsOf(day, ...asked)).toEqual(["database-restored", "audit-shown", "audit-shown"]);
}

async function eventsOf({ does }: Installation, ...words: readonly string[]): Promise<string[]> {
  const shown = await does("audit", ...words, ...ACT, "--format", "jsonl");
  const lines = shown.trim().split("\n");
  return lines.map((line) => (JSON.parse(line) as { event: string }).event);
}

/** Erases the customer, after a look at the effect; the audit keeps none of their data. */
export async function erases({ does }: Installation, accountId: string): Promise<void> {
  expect(await does("erase", ...HER, ...ACT)).toMatch(
    /^done: false\nerased:\n {2}customers: 1\n {2}policies: 1\n {2}documents: 1\n/,
  );
  expect(await does("erase", ...HER, ...ACT, "--yes")).toMatch(/^done: true\n[^]*\n {2}customers: 1\n/);
  const all = await does("audit", ...ACT, "--format", "jsonl");
  expect(all).toContain('"event":"data-erased"');
  expectNothingOf(all, accountId);
}

/** The findings of verifying the audit, and its exit code. */
export async function verifiesTheAudit({ run }: Installation) {
  const { code, stdout } = await run(["audit", "--verify", "--json"]);
  const { unsealed, findings } = JSON.parse(stdout) as { unsealed: number; findings: string[] };
  return { code, unsealed, findings };
}

function expectNothingOf(said: string, ...more: readonly string[]): void {
  for (const word of [...CANARIES, ...more]) expect(said).not.toContain(word);
}
