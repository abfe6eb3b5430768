import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, linkSync, readFileSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { syncPath, writeDurably } from "~/platform/files/durable-files.server";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { KEY_BYTES, makeKeyring, type Keyring, type RootKey } from "./keyring.server";

/** File name inside the data directory. */
export const KEY_FILE = "keys.json";

const rootKey = z
  .object({ version: z.int().positive(), key: z.base64() })
  .transform(({ version, key }): RootKey => ({ version, key: Buffer.from(key, "base64") }))
  .refine((root) => root.key.byteLength === KEY_BYTES);

const keyFile = z.object({ keys: z.tuple([rootKey], rootKey) }).refine(({ keys }) => {
  return new Set(keys.map((root) => root.version)).size === keys.length;
});

/**
 * Reads the demo's keyring from its file. Creates the file, readable by its owner only, unless a database already needs it.
 * @throws StartRefusal if the file is unreadable, or missing although it is needed
 */
export function readOrMakeKeyFile(file: string, isNeeded: boolean): Keyring {
  if (!existsSync(file)) {
    if (isNeeded) throw new StartRefusal(`${file} is missing: the database cannot be read without it`);
    makeKeyFile(file);
  }
  return makeKeyring(readKeys(file));
}

function readKeys(file: string): [RootKey, ...RootKey[]] {
  try {
    return keyFile.parse(JSON.parse(readFileSync(file, "utf8"))).keys;
  } catch {
    // Don't quote zod or JSON.parse here: their messages can contain the keys.
    throw new StartRefusal(
      `${file} cannot be read as {"keys": [{"version": 1, "key": "32 bytes in base64"}]}`,
    );
  }
}

/**
 * Creates the file atomically and syncs it to disk before anything is encrypted with its key. If several processes start
 * at once, the first one creates the file and all of them read it.
 */
function makeKeyFile(file: string): void {
  const keys = [{ version: 1, key: randomBytes(KEY_BYTES).toString("base64") }];
  const draft = `${file}.${randomUUID()}`;
  writeDurably(draft, `${JSON.stringify({ keys }, undefined, 2)}\n`);
  linkUnlessThere(draft, file);
  unlinkSync(draft);
  syncPath(dirname(file));
}

function linkUnlessThere(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
