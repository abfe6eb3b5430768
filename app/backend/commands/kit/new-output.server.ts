import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { syncPath } from "../../durable-files.server";
import { Nonsense } from "./exit-code.server";

/**
 * Makes a file or folder that appears whole or not at all. An interrupted run leaves a draft beside it, which is the
 * operator's to delete: another run may be using it.
 * @param write makes the draft, synced to disk; if it fails, the draft is deleted
 * @throws Nonsense if the output or a draft of it exists, or its folder doesn't; and whatever `write` throws
 */
export async function makeOutput(asked: string, write: (draft: string) => Promise<void>): Promise<void> {
  if (asked === "") throw new Nonsense("--output: expected a path");
  const output = resolve(asked);
  const folder = dirname(output);
  if (existsSync(output)) throw new Nonsense(`--output: ${output} exists already`);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Nonsense(`--output: ${folder} is not a folder`);
  const draft = `${output}.portal-draft`;
  if (existsSync(draft))
    throw new Nonsense(`--output: ${draft} is left from an interrupted run, or in use: delete it first`);
  try {
    await write(draft);
    renameSync(draft, output);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  syncPath(folder);
}
