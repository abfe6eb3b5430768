import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { syncPath } from "../../durable-files.server";
import { Nonsense } from "./exit-code.server";

/**
 * Makes a file or folder that appears whole or not at all. What an interrupted run left beside it is deleted first.
 * @param write makes the draft, synced to disk; if it fails, the draft is deleted
 * @throws Nonsense if the output exists, or its folder doesn't; and whatever `write` throws
 */
export async function makeOutput(output: string, write: (draft: string) => Promise<void>): Promise<void> {
  const folder = dirname(output);
  if (existsSync(output)) throw new Nonsense(`--output: ${output} exists already`);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Nonsense(`--output: ${folder} is not a folder`);
  const draft = `${output}.draft`;
  rmSync(draft, { recursive: true, force: true });
  try {
    await write(draft);
    renameSync(draft, output);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  syncPath(folder);
}
