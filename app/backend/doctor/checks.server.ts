import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Environment } from "~/platform/config/environment.server";
import type { Limits } from "~/platform/config/limits";
import { type Clock, DAY, HOUR, MINUTE, SECOND } from "~/platform/time.server";
import { CALLS } from "~/contract/calls.server";
import { clockAhead } from "../jobs/portal-clocks.server";
import { countExactOnly } from "../customers/compared-forms.server";
import { fitsOrigin, isPublicSuffix } from "../factors/relying-party.server";
import { lastSeal, unsealedSeconds } from "../audit/seal-events.server";
import { DATABASE_FILE } from "../store/data-directory.server";
import { checkKeysReadOnly, checkModeReadOnly, hasKeyCheck } from "../store/key-check.server";
import { MIGRATION_NAMES, migrationsToRun } from "../store/migrations/run.server";
import { isBeingRestored, isUnloaded, MIGRATE_AS_OWNER } from "../store/require-tables.server";
import type { Reader } from "../store/store.server";
import { newestBackup } from "../backup/backup-folder.server";
import { macVersionOf } from "../backup/backup-mac.server";
import { restoredDraft } from "../backup/database-copy.server";
import { pluralise } from "~/platform/pluralise";
import { commandDatabase, portalKeyring } from "../store/portal-database.server";
import { openAsItIs } from "../store/table-upkeep.server";
import { type Check, type CheckResult, type Finding, ok, problem, runChecks, warning } from "./check.server";
import { aheadBy, clockFinding, CLOCKS_OF_PORTALS } from "./clock-checks.server";
import { FOLDER_CHECKS } from "./folder-checks.server";
import { HELP_DESK_CHECKS } from "./help-desk-checks.server";
import { HEADERS_CHECK } from "./headers-check.server";
import { JOB_CHECKS } from "./job-checks.server";
import { MAINTENANCE_CHECK } from "./maintenance-check.server";
import { MESSAGE_CHECKS } from "./message-checks.server";
import { PORTAL_CHECKS } from "./portal-checks.server";
import { ANSWER_MS, reach } from "./reach.server";
import { SCHEMA_CHECK } from "./schema-check.server";

/** On PostgreSQL a portal that starts changes no tables: it waits for them (S117). */
const HOW_TO_MIGRATE = {
  sqlite: "run portal migrate, or start a portal of this version",
  postgres: MIGRATE_AS_OWNER,
};

/** A daily backup may be late, and may fail once. */
const GOOD_MS = 2 * DAY;
const FOR_OTHERS = 0o077;
const GRANT = "run portal migrate with MIGRATION_DATABASE_URL";

const IN_ANY_SPELLING = "every policyholder and policy is found in any spelling";

/** All checks of `portal doctor`, in the order of its report. */
export const CHECKS: readonly Check[] = [
  // Asks the backend who is signed in, without a cookie.
  {
    name: "backend",
    only: "attached",
    run: async ({ settings: { BACKEND_URL = "" } }) => {
      const { method, path } = CALLS.userInfo;
      const signal = AbortSignal.timeout(ANSWER_MS);
      try {
        const { status, body } = await fetch(BACKEND_URL + path, { method, redirect: "manual", signal });
        await body?.cancel();
        return status < 500
          ? ok(`${BACKEND_URL} answers`)
          : problem(`${BACKEND_URL} answers with status ${status}: see its log`);
      } catch {
        return problem(`${BACKEND_URL} does not answer: see whether it runs and is reached from here`);
      }
    },
  },
  {
    name: "database",
    only: "embedded",
    run: async ({ settings, database, db }) => {
      if (database.kind === "postgres") {
        const version = sql<{ version: string }>`select current_setting('server_version') as version`;
        return ok(`PostgreSQL ${(await version.execute(db())).rows[0]?.version ?? ""}`);
      }
      if (!existsSync(join(settings.DATA_DIR, DATABASE_FILE)))
        return problem(`${settings.DATA_DIR} holds no database: run portal migrate, or start the portal`);
      const version = sql<{ version: string }>`select sqlite_version() as version`;
      return ok(`SQLite ${(await version.execute(db())).rows[0]?.version ?? ""} in ${settings.DATA_DIR}`);
    },
  },
  // Before the tables, since an interrupted restore may have left none: they must not be made now.
  {
    name: "restore",
    only: "embedded",
    needs: ["database"],
    run: ({ settings, database, db }) =>
      database.kind === "postgres"
        ? unfinishedInTables(db())
        : unfinishedInFolder(join(settings.DATA_DIR, DATABASE_FILE)),
  },
  {
    name: "tables",
    only: "embedded",
    needs: ["restore"],
    run: async ({ database, db }) => {
      const missing = await migrationsToRun(db());
      return missing.length === 0
        ? ok("up to date")
        : problem(`${missing.join(", ")} missing: ${HOW_TO_MIGRATE[database.kind]}`);
    },
  },
  SCHEMA_CHECK,
  // Whether the database belongs to this mode and these keys (S18, S84).
  {
    name: "keys",
    only: "embedded",
    needs: ["tables"],
    run: async ({ settings, db }) => {
      const store = { read: db() };
      await checkModeReadOnly(store, settings.PORTAL_MODE);
      if (!(await hasKeyCheck(store))) return ok("none needed yet: no portal has used this database");
      const keyring = portalKeyring();
      await checkKeysReadOnly(store, keyring);
      return ok(`they fit the database; the current one is key ${keyring.current}`);
    },
  },
  // Whether policy numbers and identifiers are found however they are typed.
  {
    name: "spellings",
    only: "embedded",
    needs: ["keys"],
    run: async ({ db }) => {
      // Without keys there are no policyholders yet.
      if (!(await hasKeyCheck({ read: db() }))) return ok(IN_ANY_SPELLING);
      const { policyholders, policies } = (await countExactOnly(db())).equal;
      if (policyholders + policies === 0) return ok(IN_ANY_SPELLING);
      const rows = `${pluralise(policyholders, "policyholder")} and ${pluralise(policies, "policy", "policies")}`;
      return warning(
        `found by their exact spelling alone: ${rows} because they differ only in spaces and hyphens (portal migrate --check lists the policies)`,
      );
    },
  },
  // Whether the serving role can do its work and nothing else (S90, S95).
  {
    name: "rights",
    only: "embedded",
    needs: ["tables"],
    run: async ({ settings, database, db }) => {
      if (database.kind === "sqlite") return fileRights(join(settings.DATA_DIR, DATABASE_FILE));
      return rightsFinding(await rightsOf(db()));
    },
  },
  {
    name: "clock, beside the database's",
    only: "embedded",
    needs: ["database"],
    run: async ({ database, clock, db, settings: { limits } }) => {
      if (database.kind === "sqlite") return ok("it is the same");
      return clockFinding(await clockAhead(db(), clock), limits);
    },
  },
  CLOCKS_OF_PORTALS,
  ...FOLDER_CHECKS,
  // Whether browsers let the portal's pages use passkeys.
  {
    name: "passkeys",
    only: "embedded",
    run: ({ settings: { FACTORS, PASSKEY_RP_ID, PUBLIC_ORIGIN } }) => {
      if (!FACTORS.includes("passkey")) return ok("not offered, as FACTORS says");
      if (PUBLIC_ORIGIN === undefined)
        return ok("offered on http://localhost only: there is no PUBLIC_ORIGIN");
      const id = PASSKEY_RP_ID ?? new URL(PUBLIC_ORIGIN).hostname;
      if (isPublicSuffix(id))
        return problem(
          `PASSKEY_RP_ID is ${id}, below which anyone can register a domain: browsers refuse it, so name the insurer's own`,
        );
      if (fitsOrigin(id, PUBLIC_ORIGIN)) return ok(`they belong to ${id}`);
      return PASSKEY_RP_ID === undefined
        ? ok(`not offered: browsers have none at ${PUBLIC_ORIGIN}`)
        : problem(
            `PASSKEY_RP_ID is ${id}, which is neither the host of PUBLIC_ORIGIN nor a domain above it: none are offered, and those that there are don't work`,
          );
    },
  },
  ...MESSAGE_CHECKS,
  // Whether the audit is still sealed (S95).
  {
    name: "audit seals",
    only: "embedded",
    needs: ["tables"],
    run: async ({ clock, db, settings: { limits } }) => {
      const age = (await unsealedSeconds(db(), clock)) * SECOND;
      if (age === 0) return ok("all events are sealed");
      const since = (await lastSeal(db()))
        ? "the first event since the last seal"
        : "no event is sealed yet, and the first";
      const text = `${since} is ${Math.floor(age / MINUTE)} minutes old`;
      return age <= limits.DOCTOR_SEAL_MINUTES * MINUTE
        ? ok(text)
        : warning(`${text}: see why portal seal-audit does not run`);
    },
  },
  {
    name: "backups",
    only: "embedded",
    run: ({ settings: { BACKUP_DIR }, clock }) => {
      if (BACKUP_DIR === undefined) return ok("not looked at: BACKUP_DIR is not set");
      if (!existsSync(BACKUP_DIR)) return warning(`${BACKUP_DIR} is not there: mount it`);
      const newest = newestBackup(BACKUP_DIR, clock());
      if (!newest) return warning(`${BACKUP_DIR} has no backup: run portal backup every day`);
      const age = clock() - newest.madeAt;
      const text = `the last one is ${Math.floor(age / HOUR)} hours old`;
      if (age > GOOD_MS) return warning(`${text}: see why portal backup does not run`);
      const version = macVersionOf(join(BACKUP_DIR, newest.name));
      if (version === undefined) return warning(`${text}, and restore would refuse it: it has no MAC`);
      return portalKeyring().versions.includes(version)
        ? ok(text)
        : warning(`${text}, and restore would refuse it: DATA_KEYS lacks key ${version} of its MAC`);
    },
  },
  ...JOB_CHECKS,
  MAINTENANCE_CHECK,
  ...PORTAL_CHECKS,
  {
    name: "clock, beside PUBLIC_ORIGIN's",
    run: async ({ settings: { PUBLIC_ORIGIN, limits }, clock }) => {
      if (PUBLIC_ORIGIN === undefined) return ok("not compared: PUBLIC_ORIGIN is not set");
      const before = clock();
      const date = await dateOf(PUBLIC_ORIGIN);
      if (Number.isNaN(date)) return ok("not compared: PUBLIC_ORIGIN did not say its time");
      return clockFinding(aheadBy(date, before, clock()), limits);
    },
  },
  {
    name: "certificate",
    run: async ({ settings: { PUBLIC_ORIGIN, limits }, clock }) => {
      if (PUBLIC_ORIGIN === undefined) return ok("none needed: PUBLIC_ORIGIN is not set");
      const reached = await reach(PUBLIC_ORIGIN);
      if (reached.kind === "unreached")
        return problem(`${PUBLIC_ORIGIN} is not reached from here: ${reached.reason}`);
      if (reached.distrust !== undefined)
        return problem(`browsers refuse the certificate of ${PUBLIC_ORIGIN}: ${reached.distrust}`);
      if (reached.endsAt === undefined) return ok(`none needed: ${PUBLIC_ORIGIN} is not https`);
      return daysFinding(Math.floor((reached.endsAt - clock()) / DAY), limits);
    },
  },
  HEADERS_CHECK,
  ...HELP_DESK_CHECKS,
];

const NOT_RESTORING = ok("none is unfinished");

/** PostgreSQL's tables have a mark until everything that was going on in the backup is ended (S101). */
async function unfinishedInTables(db: Reader): Promise<Finding> {
  if (!(await isBeingRestored(db))) return NOT_RESTORING;
  const isEmpty = (await isUnloaded(db)) || (await migrationsToRun(db)).length === MIGRATION_NAMES.length;
  const next = isEmpty ? "the same portal restore again" : "portal restore --after-restore";
  return problem(`a backup is being restored, and portals wait: if that was interrupted, run ${next}`);
}

/** SQLite's file is replaced at once, so the database is whole; but it may be the old one. */
function unfinishedInFolder(database: string): Finding {
  const draft = restoredDraft(database);
  if (!existsSync(draft)) return NOT_RESTORING;
  return warning(
    `a backup is being restored: if that was interrupted, run portal restore again, or delete ${draft}, which holds personal data`,
  );
}

/** Judges how many days a certificate is still valid; NaN if that cannot be read. */
export function daysFinding(days: number, limits: Limits): Finding {
  if (Number.isNaN(days)) return problem("there is no certificate, or its end cannot be read: replace it");
  const text = `good for ${days} more days`;
  if (days >= limits.DOCTOR_CERTIFICATE_WARNING_DAYS) return ok(text);
  return days < limits.DOCTOR_CERTIFICATE_PROBLEM_DAYS
    ? problem(`${text}: renew it now`)
    : warning(`${text}: renew it`);
}

/** The time in an answer's `Date` header (ms), or NaN. The check of the certificate says why there is no answer. */
async function dateOf(origin: string): Promise<number> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const { headers, body } = await fetch(`${origin}/healthz`, { redirect: "manual", signal });
    await body?.cancel();
    return Date.parse(headers.get("Date") ?? "");
  } catch {
    return Number.NaN;
  }
}

/** The rights of the serving role. */
interface Rights {
  /** PostgreSQL's `synchronous_commit`. */
  readonly commits: string;
  /** An owner may do everything, because it can grant itself any right. */
  readonly ownsTables: boolean;
  readonly makesTables: boolean;
  readonly addsEvents: boolean;
  readonly changesAudit: boolean;
  readonly worksOnTables: boolean;
}

async function rightsOf(db: Reader): Promise<Rights> {
  const { rows } = await sql<Rights>`
    select current_setting('synchronous_commit') as commits,
      (select pg_has_role(relowner, 'member') from pg_class where oid = 'audit_events'::regclass) as "ownsTables",
      has_schema_privilege(current_schema(), 'create') as "makesTables",
      has_any_column_privilege('audit_events', 'insert') as "addsEvents",
      bool_or(starts_with(tablename, 'audit_') and has_table_privilege(place, 'update, delete, truncate')) as "changesAudit",
      bool_and(starts_with(tablename, 'audit_') or starts_with(tablename, 'kysely_') or (
        has_table_privilege(place, 'select') and has_table_privilege(place, 'insert')
        and has_table_privilege(place, 'update') and has_table_privilege(place, 'delete'))) as "worksOnTables"
    from (
      select tablename, format('%I.%I', schemaname, tablename) as place from pg_tables where schemaname = current_schema()
    ) as tables`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("the role's rights cannot be read");
  return row;
}

function rightsFinding(found: Rights): Finding {
  if (found.commits === "off")
    return problem("PostgreSQL may lose committed data: set synchronous_commit to on");
  if (!found.addsEvents) return problem(`the DATABASE_URL role may not add to the audit: ${GRANT}`);
  if (!found.worksOnTables) return problem(`the DATABASE_URL role may not write to its tables: ${GRANT}`);
  if (found.ownsTables)
    return warning(
      "one role serves and owns the tables: set MIGRATION_DATABASE_URL, and give DATABASE_URL a role that can't change the audit",
    );
  if (found.changesAudit)
    return problem("the DATABASE_URL role may change the audit: revoke update, delete and truncate");
  if (found.makesTables) return problem("the DATABASE_URL role may make tables: revoke create on the schema");
  return ok("the DATABASE_URL role adds to the audit, and can change neither it nor tables");
}

async function fileRights(file: string): Promise<Finding> {
  const { mode } = await stat(file);
  return (mode & FOR_OTHERS) === 0
    ? ok("only its owner can read the database")
    : warning(`other users of this machine may open ${file}: run chmod 600 on it`);
}

/** Runs all checks of `portal doctor` that apply to the installation. Changes nothing. Never throws. */
export async function checkInstallation(
  settings: Environment,
  clock: Clock,
): Promise<readonly CheckResult[]> {
  const database = commandDatabase(settings);
  let opened: ReturnType<typeof openAsItIs> | undefined;
  const db = () => (opened ??= openAsItIs(database, settings.DATA_DIR));
  const kind = settings.BACKEND_URL === undefined ? "embedded" : "attached";
  const checks = CHECKS.filter(({ only = kind }) => only === kind);
  const results = await runChecks(checks, { settings, database, clock, db });
  await opened?.destroy();
  return results;
}
