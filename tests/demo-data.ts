import { createHash } from "node:crypto";
import { cp, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const BUILD = fileURLToPath(new URL("../build/server/index.js", import.meta.url));
/** With one of these a portal would have other customers, other keys or other documents, or none. */
const OWN_DATA = /^(DATA|BACKEND_URL|PORTAL_MODE|BRAND)/;

/** Whether a portal with these variables can begin with the usual data of the demo. */
export function hasUsualData(env: Readonly<Record<string, string>> = {}): boolean {
  return !Object.keys(env).some((name) => OWN_DATA.test(name));
}

/**
 * Copies a data directory of the demo into an empty one. Making its customers and documents takes longer than the rest
 * of a portal's start, so `make` does it once for all tests of a day and a build.
 */
export async function copyDemoData(into: string, make: (dataDir: string) => Promise<void>): Promise<void> {
  const made = join(tmpdir(), `portal-demo-data-${await nameOfToday()}`);
  if (!(await exists(made))) await makeOnce(made, make);
  await cp(made, into, { recursive: true });
}

/** Other processes may do the same at this moment: the first one wins, and no test sees a half-made folder. */
async function makeOnce(made: string, make: (dataDir: string) => Promise<void>): Promise<void> {
  const own = await mkdtemp(`${made}-`);
  await make(own);
  await rename(own, made).catch(() => rm(own, { recursive: true, force: true }));
}

/** The periods of the demo's policies are counted from the day they are made. */
async function nameOfToday(): Promise<string> {
  const { mtimeMs, size } = await stat(BUILD);
  const today = new Date().toISOString().slice(0, 10);
  return createHash("sha256").update(`${BUILD}|${mtimeMs}|${size}|${today}`).digest("hex").slice(0, 16);
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
