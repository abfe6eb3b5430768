import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inRepository } from "./repository";

interface Report {
  readonly diagnostics: readonly { readonly filename: string; readonly code: string }[];
}

/** Runs oxlint with our rules over these files, and returns the rules that each breaks, without their plugin. */
export async function brokenLintRules(
  files: readonly (readonly [path: string, code: string])[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const house = await mkdtemp(join(tmpdir(), "planted-lint-"));
  try {
    await symlink(inRepository("node_modules"), join(house, "node_modules"));
    for (const name of [".oxlintrc.json", "tsconfig.json"])
      await copyFile(inRepository(name), join(house, name));
    for (const [path, code] of files) {
      await mkdir(dirname(join(house, path)), { recursive: true });
      await writeFile(join(house, path), code);
    }
    return rulesByFile(await lint(house));
  } finally {
    await rm(house, { recursive: true });
  }
}

async function lint(house: string): Promise<Report> {
  const oxlint = inRepository("node_modules/oxlint/bin/oxlint");
  const args = [oxlint, "--format=json", "app", "scripts", "tests", "tools"];
  const output = await new Promise<string>((resolve) => {
    // It ends with 1, since it finds faults.
    execFile(process.execPath, args, { cwd: house }, (_error, stdout) => {
      resolve(stdout);
    });
  });
  return JSON.parse(output) as Report;
}

function rulesByFile({ diagnostics }: Report): ReadonlyMap<string, readonly string[]> {
  const rules = new Map<string, string[]>();
  for (const { filename, code } of diagnostics)
    rules.set(filename, [...(rules.get(filename) ?? []), code.replace(/^.*\(|\)$/g, "")]);
  return rules;
}
