import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { rootCertificates } from "node:tls";
import type { PostgresSettings } from "~/platform/config/database-settings.server";
import { isOnThisMachine } from "~/platform/config/database-variables.server";
import { toolEnvironment } from "~/platform/config/environment.server";
import { SECOND } from "~/platform/time.server";
import { isMissing, writeDurably } from "~/platform/files/durable-files.server";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { RESTORE_MARK } from "../store/require-tables.server";
import { UnreadableBackup } from "./age-files.server";

type Tool = "pg_dump" | "pg_restore" | "psql";

const MODES = { verify: "verify-full", "no-verify": "require", off: "disable" } as const;
/** Limit on a tool's error output, which may be long. */
const MOST_CHARACTERS = 10_000;

/**
 * Runs pg_dump as the role in MIGRATION_DATABASE_URL or else DATABASE_URL, which must be allowed to read everything.
 * pg_restore reads the dump as it is made: whatever pg_dump's exit code says, an empty or cut one is no backup.
 * @param take consumes the dump as it is made; if this function fails, the part consumed so far is useless
 * @throws StartRefusal with the message of pg_dump or pg_restore
 */
export function dumpDatabase(
  settings: PostgresSettings,
  take: (dump: Readable) => Promise<void>,
): Promise<void> {
  return withTool(
    settings,
    "pg_dump",
    ["--format=custom", "--encoding=UTF8", `--exclude-table=${RESTORE_MARK}`],
    async ({ child, ended }) => {
      const copy = new PassThrough();
      const read = readArchive(copy, ["--file=/dev/null"], text).then(() => undefined, asError);
      const taken = take(Readable.from(alsoTo(copy, child.stdout))).catch((error: unknown) => {
        child.kill();
        throw error;
      });
      const [taking, problem] = await Promise.all([taken.then(() => undefined, asError), ended]);
      if (taking ?? problem) copy.destroy();
      const reading = await read;
      // If the tool never started, report that instead.
      if (taking && child.pid !== undefined) throw taking;
      if (problem !== undefined) throw new StartRefusal(problem);
      if (reading) throw new StartRefusal(`pg_dump's archive is not whole: ${reading.message}`);
    },
  );
}

/** Passes a dump on, and gives a copy of it to a stream until that takes no more. */
async function* alsoTo(copy: PassThrough, dump: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of dump) {
    if (!copy.destroyed && !copy.write(chunk))
      // It may close instead: its reader has found a fault.
      await new Promise<void>((resolve) => {
        const done = () => {
          copy.off("drain", done).off("close", done);
          resolve();
        };
        copy.on("drain", done).on("close", done);
      });
    yield chunk;
  }
  copy.end();
}

/**
 * Turns an archive into text by pg_restore, which connects to nothing: what the archive says, nothing runs.
 * @param take gets the text. If it leaves off before the end, so does pg_restore
 * @throws UnreadableBackup if the archive can't be decrypted; StartRefusal with pg_restore's message
 */
export async function readArchive<Value>(
  archive: Readable,
  words: readonly string[],
  take: (text: Readable) => Promise<Value>,
): Promise<Value> {
  const child = spawn("pg_restore", words, { env: toolEnvironment({}) });
  const ended = endOf("pg_restore", child);
  const given = give(archive, child);
  const value = await take(child.stdout);
  const hasLeftOff = !child.stdout.readableEnded;
  if (hasLeftOff) child.kill("SIGKILL");
  const [giving, problem] = await Promise.all([given, ended]);
  if (hasLeftOff) return value;
  if (giving instanceof UnreadableBackup) throw giving;
  if (problem !== undefined) throw new StartRefusal(problem);
  return value;
}

/**
 * Runs statements in one transaction, all or nothing, with psql. Statements that copy from standard input get the
 * content of the archive. psql never runs that content as statements.
 * @param pass makes the input of psql from pg_restore's text
 * @param last ends that input, once the archive was read to its end and is whole
 * @throws UnreadableBackup if the archive can't be read to its end; StartRefusal with a tool's message
 */
export async function loadRows(
  settings: PostgresSettings,
  archive: Readable,
  statements: readonly string[],
  pass: (script: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
  last: string,
): Promise<void> {
  const words = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--single-transaction"];
  const commands = statements.flatMap((statement) => ["--command", statement]);
  await withTool(settings, "psql", [...words, ...commands], async ({ child: psql, ended }) => {
    const restore = spawn("pg_restore", ["--data-only", "--file=-"], { env: toolEnvironment({}) });
    const read = Promise.all([give(archive, restore), endOf("pg_restore", restore)]);
    const content = async function* () {
      yield* pass(restore.stdout);
      const [giving, problem] = await read;
      if (giving) throw giving;
      if (problem !== undefined) throw new StartRefusal(problem);
      yield last;
    };
    const taking = await pipeline(content, psql.stdin).then(() => undefined, asError);
    if (taking) for (const tool of [restore, psql]) tool.kill("SIGKILL");
    const [[giving], problem] = await Promise.all([read, ended]);
    if (giving instanceof UnreadableBackup) throw giving;
    if (taking instanceof StartRefusal) throw taking;
    if (problem !== undefined) throw new StartRefusal(problem);
    if (taking) throw taking;
  });
}

/** Gives an archive to a tool. @returns why that failed; undefined if all was given */
async function give(archive: Readable, child: ChildProcessWithoutNullStreams): Promise<Error | undefined> {
  // Kill it before its input ends, which it could take for the end of the backup. A tool that has read enough closes
  // its input, and still has something to say.
  archive.once("error", () => {
    if (child.stdin.errored === null) child.kill("SIGKILL");
  });
  return pipeline(archive, child.stdin).then(() => undefined, asError);
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
    PGCLIENTENCODING: "UTF8",
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
  // psql reports the server's own errors without its name.
  const error = after("error") ?? /^ERROR: *(.+)$/m.exec(said)?.[1];
  if (error === undefined || !error.includes("version mismatch")) return error && `${tool}: ${error}`;
  return `${tool}: ${after("detail") ?? error}: ${CLIENT}`;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error("unknown");
}
