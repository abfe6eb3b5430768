import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ANNA, KRYSTYNA, type DemoCustomer } from "../../../demo-customers";
import { ACT } from "../../../operator-command";
import { CANARIES, KANAREK, kanarekLine, writeImport } from "../person-steps";
import type { Installation } from "./installation";

const HER = ["--policy-no", KANAREK.policyNo];
/** What must be in the audit about her, in any order. */
const HER_DAY = [
  "account-registered",
  "sign-in-locked",
  "account-shown",
  "account-unlocked",
  "signed-in",
  "device-trusted",
  "data-exported",
];
const YEAR = { validFrom: "2026-03-01", validTo: "2027-02-28" };

const lineOf = ({ name, phone, pid, policyNo }: DemoCustomer) => ({
  ...{ kind: "individual", name, phone, pid },
  policies: [{ policyNo, name: "OC", ...YEAR }],
});

/** Makes the tables, and finds that nothing is left to do. */
export function installs({ run, does }: Installation): void {
  expect(run(["migrate", "--check"]).code).toBe(1);
  does("migrate");
  does("migrate", "--check");
}

/** Every check is fine, except perhaps that of the test machine's disk. */
export function findsNoProblem({ does }: Installation): void {
  const { checks } = JSON.parse(does("doctor", "--json")) as { checks: { name: string; level: string }[] };
  expect(checks.length).toBeGreaterThanOrEqual(11);
  expect(checks.filter(({ name, level }) => name !== "disk" && level !== "ok")).toEqual([]);
}

/** Imports three policyholders, one of them with this name and a document. */
export function imports({ folder, does }: Installation, name: string, counts: string): void {
  const lines = [{ ...kanarekLine(), name }, lineOf(ANNA), lineOf(KRYSTYNA)];
  expect(does("import", writeImport(join(folder, "import"), lines))).toContain(counts);
}

/** Finds out why the customer can't sign in. Returns the id of the account. */
export function seesTheLock({ does }: Installation): string {
  const shown = does("account", "show", ...HER, ...ACT);
  expect(shown).toMatch(/5 tries in browsers that the account doesn't know; locked until/);
  expectNothingOf(shown);
  return /^Account +(\S+)$/m.exec(shown)?.[1] ?? "";
}

/** Writes all data of the customer, who has this name, to a folder; none of it appears on the terminal. */
export function exports({ folder, does }: Installation, name: string): void {
  const output = join(folder, "export");
  expectNothingOf(does("export", ...HER, ...ACT, "--output", output), name);
  const data = readFileSync(join(output, "data.json"), "utf8");
  const { phone, email, pid, policyNo, policyName } = KANAREK;
  for (const stored of [name, phone, email, pid, policyNo, policyName]) expect(data).toContain(stored);
  expect(readdirSync(join(output, "documents"))).toHaveLength(1);
}

/** Makes a backup beside the portal, with the role for that. Returns what restores it once the portal has stopped. */
export function backsUp({ folder, server, run, does }: Installation): () => Promise<void> {
  const [key, backups] = [join(folder, "backup-key.txt"), join(folder, "backups")];
  const made = JSON.parse(does("backup-key", "--output", key, "--json")) as { recipient: string };
  mkdirSync(backups);
  const { code, stdout } = run(["backup", "--json"], {
    ...(server && {
      DATABASE_URL: server.backupUrl,
      MIGRATION_DATABASE_URL: "",
      DATA_KEYS: "",
      PORTAL_MODE: "demo",
    }),
    BACKUP_DIR: backups,
    BACKUP_RECIPIENTS: made.recipient,
  });
  expect(code).toBe(0);
  const { file } = JSON.parse(stdout) as { file: string };
  return async () => {
    await server?.empty();
    does("restore", "--input", file, "--identity", key, ...ACT);
  };
}

/** Lets every code expire, and purges them. */
export async function purgesTenMinutesLater({ query, does }: Installation): Promise<void> {
  await query("update codes set ends_at = 0");
  expect(does("purge")).toMatch(/^codes: [1-9]/m);
}

/** Seals what has happened, with the role for that. */
export function sealsTheAudit({ server, run }: Installation): void {
  const { code, stderr } = run(["seal-audit"], server && { DATABASE_URL: server.auditUrl });
  expect([code, stderr]).toEqual([0, ""]);
}

/** Finds the customer's day by the account, and who read the audit by the event. */
export function seesTheDay(day: Installation, accountId: string): void {
  const theirs = eventsOf(day, "--account", accountId);
  expect(theirs).toEqual(expect.arrayContaining(HER_DAY));
  // It happened after the backup.
  expect(theirs).not.toContain("password-changed");
  const asked = ["--event", "database-restored", "audit-shown"];
  expect(eventsOf(day, ...asked)).toEqual(["database-restored", "audit-shown", "audit-shown"]);
}

function eventsOf({ does }: Installation, ...words: readonly string[]): string[] {
  const lines = does("audit", ...words, ...ACT, "--format", "jsonl")
    .trim()
    .split("\n");
  return lines.map((line) => (JSON.parse(line) as { event: string }).event);
}

/** Erases the customer, after a look at what that would do; the audit keeps nothing of them. */
export function erases({ does }: Installation, accountId: string): void {
  expect(does("erase", ...HER, ...ACT)).toMatch(
    /^Would erase: 1 in customers, 1 in policies, 1 in documents/,
  );
  expect(does("erase", ...HER, ...ACT, "--yes")).toMatch(/^Erased: 1 in customers/);
  const all = does("audit", ...ACT, "--format", "jsonl");
  expect(all).toContain('"event":"data-erased"');
  expectNothingOf(all, accountId);
}

/** What verifying the audit finds, and its exit code. */
export function verifiesTheAudit({ run }: Installation) {
  const { code, stdout } = run(["audit", "--verify", "--json"]);
  const { unsealed, findings } = JSON.parse(stdout) as { unsealed: number; findings: string[] };
  return { code, unsealed, findings };
}

function expectNothingOf(said: string, ...more: readonly string[]): void {
  for (const word of [...CANARIES, ...more]) expect(said).not.toContain(word);
}
