import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Whether a program is installed. */
export function isInstalled(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/**
 * Whether tests that need these programs run: where all are installed, and in CI, where they fail if one is missing.
 */
export function canTestWith(...programs: readonly string[]): boolean {
  return process.env["CI"] !== undefined || programs.every(isInstalled);
}
