import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environment } from "./environment.server";

let secrets: readonly string[] | undefined;

/**
 * The secrets for the portal's flow cookie: the first one seals, any of them opens. They come from `SESSION_SECRET`. A
 * demo without it makes one at the first start and keeps it in `DATA_DIR`, readable by its owner only.
 */
export function sessionSecrets(): readonly string[] {
  secrets ??= environment().SESSION_SECRET ?? [ownSecret(environment().DATA_DIR)];
  return secrets;
}

function ownSecret(folder: string): string {
  const file = join(folder, "session.key");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    // `wx`: if two processes start at once, one creates the file and both read it.
    writeFileSync(file, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  return readFileSync(file, "utf8").trim();
}
