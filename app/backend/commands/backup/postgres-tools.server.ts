import type { PostgresSettings } from "~/platform/config/database-settings.server";
import { isOnThisMachine } from "~/platform/config/database-variables.server";

/** What to run to back up and restore. None of it holds the password. */
interface Tools {
  readonly backUp: string;
  /** Into an empty database. */
  readonly restore: string;
}

/** The commands of PostgreSQL for a portal's database, as the owner of its tables. */
export function postgresTools(settings: PostgresSettings, file: string): Tools {
  const address = settings.migrationAddress ?? settings.address;
  const { host, port, user, database } = address;
  const tls = settings.tls ?? (isOnThisMachine(address) ? "off" : "verify");
  const mode = { verify: "verify-full", "no-verify": "require", off: "disable" }[tls];
  const where = [`--host=${host}`, `--port=${port}`, `--username=${user}`, `--dbname=${database}`];
  const line = (...words: readonly string[]) => [`PGSSLMODE=${mode}`, ...words.map(quoted)].join(" ");
  return {
    backUp: line("pg_dump", ...where, "--format=custom", `--file=${file}`),
    restore: line("pg_restore", ...where, "--exit-on-error", "--single-transaction", file),
  };
}

/** For a shell. */
function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
