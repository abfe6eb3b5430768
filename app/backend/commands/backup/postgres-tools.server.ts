import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { rootCertificates } from "node:tls";
import type { PostgresSettings } from "~/platform/config/database-settings.server";
import { isOnThisMachine } from "~/platform/config/database-variables.server";
import { toolEnvironment } from "~/platform/config/tool-environment.server";
import { SECOND } from "../../clock.server";
import { isMissing, writeDurably } from "../../durable-files.server";
import { StartRefusal } from "../../start-refusal.server";
import { RESTORE_MARK } from "../../store/restore-mark.server";
import { UnreadableBackup } from "./age-files.server";

type Tool = "pg_dump" | "pg_restore";

const MODES = { verify: "verify-full", "no-verify": "require", off: "disable" } as const;
/** Of what a tool complains about, which may be long. */
const MOST_CHARACTERS = 10_000;

/**
 * Runs pg_dump as the role in MIGRATION_DATABASE_URL or else DATABASE_URL, which must be allowed to read everything.
 * @param take takes the dump as it is made; what it has taken is of no use if this fails
 * @throws StartRefusal with what pg_dump says
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
      // A tool that never ran gave nothing to take.
      if (taking && child.pid !== undefined) throw taking;
      if (problem !== undefined) throw new StartRefusal(problem);
    },
  );
}

/**
 * Runs pg_restore in one transaction, into an empty database: it is there whole or not at all.
 * @throws UnreadableBackup if the backup can't be read to its end; StartRefusal with what pg_restore says
 */
export function restoreDatabase(settings: PostgresSettings, dump: Readable): Promise<void> {
  return withTool(
    settings,
    "pg_restore",
    ["--exit-on-error", "--single-transaction"],
    async ({ child, ended }) => {
      // Before its input ends: otherwise it could take that for the end of the backup.
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
  /** What went wrong, in one line. */
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

/** The password is in its variables, where only its own user sees it, and not among its words. */
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

/** The tools know no certificates unless they are given some: those that the portal trusts. */
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

/** The first error; of the versions, which ones. Later lines may quote rows. */
function complaint(tool: Tool, said: string): string | undefined {
  const after = (word: string) => new RegExp(`^${tool}: ${word}: *(.+)$`, "m").exec(said)?.[1];
  const error = after("error");
  if (error === undefined || !error.includes("version mismatch")) return error && `${tool}: ${error}`;
  return `${tool}: ${after("detail") ?? error}: ${CLIENT}`;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error("unknown");
}
