import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Visitor } from "../../tests/visitor";
import { runServer, type Running } from "./process";

/** The token of a returning browser; any of this format will do. */
export const BROWSER = "b".repeat(43);

/** The headers of a browser that has accepted cookies and is not signed in. */
export const VISITOR: Readonly<Record<string, string>> = {
  Cookie: `accepted-cookies=true; browser=${BROWSER}`,
  "Accept-Encoding": "gzip, deflate, br",
};

/** Starts the portal as `npm start` does and waits for its first sign-in page. */
export function startPortal(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<Running> {
  return runServer({
    name: "portal",
    args: argumentsOfStart(),
    env: { DATA_DIR: dataDir, ...env },
    firstPath: "/home",
    headers: VISITOR,
  });
}

/** The flags that `npm start` gives to node. */
export function nodeFlags(): readonly string[] {
  return argumentsOfStart().filter((argument) => argument.startsWith("--"));
}

/** The cookies of a visitor, as a header. */
export function cookieHeader({ cookies }: Visitor): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** The arguments that `npm start` gives to node: flags and script. */
function argumentsOfStart(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: { start: string } };
  return scripts.start.replace(/^exec node /, "").split(" ");
}

/** Runs the work on a new data directory, then removes it. */
export async function withDataDir<Value>(work: (dataDir: string) => Promise<Value>): Promise<Value> {
  const dataDir = await mkdtemp(join(tmpdir(), "portal-bench-"));
  try {
    return await work(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
