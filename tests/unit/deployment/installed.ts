import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const DEPLOY = fileURLToPath(new URL("../../../deploy", import.meta.url));

/** Runs a script of deploy on a machine whose /etc is in a folder. */
export function runOn(root: string, script: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync("sh", [join(DEPLOY, script), ...words], {
    encoding: "utf8",
    env: { ...process.env, ROOT: root },
  });
  return { status, said: stdout + stderr };
}

/** A folder with the secrets that make-secrets.sh makes for the units, and these that an operator adds. */
export function installed(own: readonly string[] = [], ...words: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), "portal-installed-"));
  const secrets = join(root, "etc/portal/secrets");
  mkdirSync(secrets, { recursive: true });
  for (const name of own) writeFileSync(join(secrets, name), "kanarek");
  runOn(root, "make-secrets.sh", "--systemd", ...words);
  return root;
}
