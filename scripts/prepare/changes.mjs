import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { inProject, ROOT } from "./project.mjs";

const PASSED = inProject(".cache", "check-passed");
const SOURCE = /\.[cm]?[jt]sx?$/;
/** The endings that an import may leave out. */
const ENDINGS = ["", ".ts", ".tsx", ".mjs", ".js", "/index.ts", "/index.tsx"];

/**
 * Runs Git and returns its output.
 * @param {...string} args
 */
export const git = (...args) =>
  execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: "pipe" }).trim();
const lines = (text) => text.split("\n").filter(Boolean);

/**
 * The files changed since the commit on which the check last passed: committed, uncommitted and new ones.
 * @returns {readonly string[] | undefined} paths below the repository; undefined if it is not known
 */
export function changedFiles() {
  try {
    const passed = readFileSync(PASSED, "utf8");
    const changed = lines(git("diff", "--name-only", "--no-renames", passed));
    return [...new Set([...changed, ...lines(git("ls-files", "--others", "--exclude-standard"))])];
  } catch {
    return undefined;
  }
}

/** Notes that the check has passed on the present commit. */
export function rememberPassed() {
  try {
    mkdirSync(dirname(PASSED), { recursive: true });
    writeFileSync(PASSED, git("rev-parse", "HEAD"));
  } catch {
    // No Git: each check looks at everything.
  }
}

/**
 * Finds the source files that import one of these, and these themselves if they are still there.
 * @param {readonly string[]} changed
 * @returns {Promise<readonly string[]>}
 */
export async function withImporters(changed) {
  const { default: typescript } = await import("typescript");
  const wanted = new Set(changed);
  const found = new Set(changed.filter((path) => SOURCE.test(path) && existsSync(inProject(path))));
  for (const path of lines(git("ls-files", "--cached", "--others", "--exclude-standard"))) {
    if (!SOURCE.test(path) || found.has(path) || !existsSync(inProject(path))) continue;
    const { importedFiles } = typescript.preProcessFile(readFileSync(inProject(path), "utf8"), true, true);
    if (importedFiles.some(({ fileName }) => candidates(path, fileName).some((one) => wanted.has(one))))
      found.add(path);
  }
  return [...found];
}

function candidates(importer, specifier) {
  const base = specifier.startsWith("~/")
    ? join("app", specifier.slice(2))
    : specifier.startsWith(".")
      ? join(dirname(importer), specifier)
      : undefined;
  return base === undefined ? [] : ENDINGS.map((ending) => base + ending);
}
