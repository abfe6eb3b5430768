import { existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { syncPath } from "../../durable-files.server";
import { Nonsense } from "./exit-code.server";

/**
 * Makes a file or folder that appears complete or not at all; of two simultaneous runs, one makes it. An interrupted
 * run leaves its draft in a folder beside it. The operator must delete that, because another run may be using it.
 * @param write makes the draft, synced to disk; if it fails, the draft is deleted
 * @throws Nonsense if the output or a draft of it exists, or its folder doesn't; and whatever `write` throws
 */
export async function makeOutput(asked: string, write: (draft: string) => Promise<void>): Promise<void> {
  if (asked === "") throw new Nonsense("--output: expected a path");
  const output = resolve(asked);
  const folder = dirname(output);
  refuseExisting(output);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Nonsense(`--output: ${folder} is not a folder`);
  const drafts = `${output}.portal-draft`;
  claim(drafts);
  try {
    // Another run may have made it just before this one claimed it.
    refuseExisting(output);
    const draft = join(drafts, basename(output));
    await write(draft);
    renameSync(draft, output);
  } finally {
    rmSync(drafts, { recursive: true, force: true });
  }
  syncPath(folder);
}

function refuseExisting(output: string): void {
  if (existsSync(output)) throw new Nonsense(`--output: ${output} exists already`);
}

/** Makes a folder that only one run can make. */
function claim(drafts: string): void {
  try {
    mkdirSync(drafts, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    throw new Nonsense(`--output: ${drafts} is left from an interrupted run, or in use: delete it first`);
  }
}
