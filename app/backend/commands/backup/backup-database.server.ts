import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { PostgresSettings } from "~/platform/config/database-settings.server";
import { environment } from "~/platform/config/environment.server";
import { syncPath } from "../../durable-files.server";
import { DATABASE_FILE } from "../../store/data-directory.server";
import { StartRefusal } from "../../start-refusal.server";
import { EXIT, type ExitCode } from "../kit/exit-code.server";
import { makeOutput } from "../kit/new-output.server";
import { report, type Output } from "../kit/output.server";
import { portalDatabase } from "../kit/portal-database.server";
import { showProgress } from "../kit/progress.server";
import type { AddCommands } from "../kit/runs.server";
import { postgresTools } from "./postgres-tools.server";
import { copyDatabase, problemOf, type Copied } from "./database-copy.server";

/** `backup`. */
export const addBackup: AddCommands = (program, runs) => {
  program
    .command("backup")
    .description("copy the SQLite database while the portal runs; on PostgreSQL, say what to run")
    .requiredOption("--output <file>", "the file to make")
    .option("--json", "print what was done as JSON")
    .action(runs(backUp));
};

interface BackupOptions {
  readonly output: string;
  readonly json?: true;
}

const NOT_IN_IT = [
  "It doesn't hold the keys (DATA_KEYS, or keys.json of a demo), without which it is worthless: keep them elsewhere",
  "It doesn't hold archived months of the audit (AUDIT_ARCHIVE_DIR): copy that folder as well",
];

async function backUp(output: Output, options: BackupOptions): Promise<ExitCode> {
  const { DATA_DIR } = environment();
  const database = portalDatabase();
  if (database.kind === "postgres") return sayHow(output, database, options);
  const file = join(DATA_DIR, DATABASE_FILE);
  if (!existsSync(file)) throw new StartRefusal(`${DATA_DIR} holds no database`);
  await makeOutput(options.output, (draft) => copyWhole(output, file, draft));
  const { size } = statSync(options.output);
  report(output, options.json, { database: "sqlite", file: options.output, bytes: size }, [
    `Backed up to ${options.output}: ${size} bytes`,
    ...NOT_IN_IT,
  ]);
  return EXIT.done;
}

/** The copy is checked before it gets its name. */
async function copyWhole({ terminal }: Output, file: string, draft: string): Promise<void> {
  let copied: Copied = { pages: 0, total: 0 };
  const progress = showProgress(terminal, () => `${copied.pages} of ${copied.total} pages`);
  try {
    await copyDatabase(file, draft, (soFar) => {
      copied = soFar;
    });
  } finally {
    progress.end();
  }
  const problem = problemOf(draft);
  if (problem !== undefined) throw new Error(`the copy of ${file} is useless: ${problem}`);
  syncPath(draft);
}

/** A server's database is for its own tools. */
function sayHow(output: Output, settings: PostgresSettings, options: BackupOptions): Promise<ExitCode> {
  const tools = postgresTools(settings, options.output);
  report(output, options.json, { database: "postgres", ...tools }, [
    "Nothing was backed up: PostgreSQL has its own tools. Run as the owner of the tables:",
    `  ${tools.backUp}`,
    "To restore, stop every portal, make an empty database, and run:",
    `  ${tools.restore}`,
    "  portal restore --after-restore --operator NAME --reason TEXT",
    "Put the password in a file for your user only, and name it in PGPASSFILE: host:port:database:user:password",
    ...NOT_IN_IT,
  ]);
  return Promise.resolve(EXIT.done);
}
