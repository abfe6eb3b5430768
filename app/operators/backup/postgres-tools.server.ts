import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { rootCertificates } from "node:tls";
import type { PostgresSettings } from "~/platform/config/database-settings.server";
import { isOnThisMachine } from "~/platform/config/database-variables.server";
import { toolEnvironment } from "~/platform/config/environment.server";
import { SECOND } from "~/platform/time.server";
import { isMissing, writeDurably } from "~/backend/durable-files.server";
import { StartRefusal } from "~/backend/start-refusal.server";
import { RESTORE_MARK } from "~/backend/store/require-tables.server";
import { UnreadableBackup } from "./age-files.server";

type Tool = "pg_dump" | "pg_restore";

const MODES = { verify: "verify-full", "no-verify": "require", off: "disable" } as const;
/** Limit on a tool's error output, which may be long. */
const MOST_CHARACTERS = 10_000;

/**
 * Runs pg_dump as the role in MIGRATION_DATABASE_URL or else DATABASE_URL, which must be allowed to read everything.
 * @param take consumes the dump as it is made; if this function fails, the part consumed so far is useless
 * @throws StartRefusal with pg_dump's message
 */
export function dumpDatabase(
  settings: PostgresSettings,
  take: (dump: Readable) => Promise<void>,
): Promise<void> {
  return withTool(
    settings,
    "pg_dump",
    ["--format=custom", `--exclude-table=${RESTORE_MARK}`],
    async ({ child, ended }) => {
      const taken = take(child.stdout).catch((error: unknown) => {
        child.kill();
        throw error;
      });
      const [taking, problem] = await Promise.all([taken.then(() => undefined, asError), ended]);
      // If the tool never started, report that instead.
      if (taking && child.pid !== undefined) throw taking;
      if (problem !== undefined) throw new StartRefusal(problem);
    },
  );
}

/**
 * Runs pg_restore into an empty database, in one transaction: all or nothing.
 * @throws UnreadableBackup if the backup can't be read to its end; StartRefusal with pg_restore's message
 */
export function restoreDatabase(settings: PostgresSettings, dump: Readable): Promise<void> {
  return withTool(
    settings,
    "pg_restore",
    ["--exit-on-error", "--single-transaction"],
    async ({ child, ended }) => {
      // Kill it before its input ends, which it could take for the end of the backup.
      dump.once("error", () => child.kill("SIGKILL"));
      const [giving, problem] = await Promise.all([
        pipeline(dump, child.stdin).then(() => undefined, asError),
        ended,
      ]);
      if (giving instanceof UnreadableBackup) throw giving;
      if (problem !== undefined) throw new StartRefusal(problem);
      if (giving) throw giving;
    },
  );
}

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** The tool's error in one line, once it has ended; undefined if there was none. */
  readonly ended: Promise<string | undefined>;
}

async function withTool(
  settings: PostgresSettings,
  tool: Tool,
  words: readonly string[],
  work: (running: Running) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "portal-backup-"));
  try {
    const child = start(settings, tool, words, folder);
    await work({ child, ended: endOf(tool, child) });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Passes the password in a variable, which only the same user can read, not on the command line. */
function start(settings: PostgresSettings, tool: Tool, words: readonly string[], folder: string) {
  const address = settings.migrationAddress ?? settings.address;
  const { host, port, user, password, database } = address;
  const where = [`--host=${host}`, `--port=${port}`, `--username=${user}`, `--dbname=${database}`];
  const env = toolEnvironment({
    PGPASSWORD: password,
    PGCONNECT_TIMEOUT: String(Math.ceil(settings.connectMs / SECOND)),
    PGSSLMODE: MODES[settings.tls ?? (isOnThisMachine(address) ? "off" : "verify")],
    PGSSLROOTCERT: certificates(settings, folder),
  });
  return spawn(tool, [...where, "--no-password", ...words], { env });
}

/** Gives the tools the certificates that the portal trusts. They have none of their own. */
function certificates({ ca }: PostgresSettings, folder: string): string {
  const file = join(folder, "ca.pem");
  writeDurably(file, ca ?? rootCertificates.join("\n"));
  return file;
}

function endOf(tool: Tool, child: ChildProcessWithoutNullStreams): Promise<string | undefined> {
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(0, MOST_CHARACTERS);
  });
  return new Promise((resolve) => {
    child.once("error", (error) => {
      resolve(
        isMissing(error) ? `${tool} is not installed: ${CLIENT}` : `${tool} does not start: ${error.message}`,
      );
    });
    child.once("close", (code, signal) => {
      resolve(
        code === 0
          ? undefined
          : (complaint(tool, said) ?? `${tool} ended with ${code ?? signal ?? "nothing"}`),
      );
    });
  });
}

const CLIENT = "install PostgreSQL's client (postgresql-client) of the server's version or a later one";

/** The first error, with the versions if they don't match. Later lines may quote rows. */
function complaint(tool: Tool, said: string): string | undefined {
  const after = (word: string) => new RegExp(`^${tool}: ${word}: *(.+)$`, "m").exec(said)?.[1];
  const error = after("error");
  if (error === undefined || !error.includes("version mismatch")) return error && `${tool}: ${error}`;
  return `${tool}: ${after("detail") ?? error}: ${CLIENT}`;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error("unknown");
}
