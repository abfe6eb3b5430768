import { randomBytes, randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { StartRefusal } from "../start-refusal.server";
import { KEY_BYTES, makeKeyring, type Keyring, type RootKey } from "./keyring.server";

/** The name of the file, in the data directory. */
export const KEY_FILE = "keys.json";

const rootKey = z
  .object({ version: z.int().positive(), key: z.base64() })
  .transform(({ version, key }): RootKey => ({ version, key: Buffer.from(key, "base64") }))
  .refine((root) => root.key.byteLength === KEY_BYTES);

const keyFile = z.object({ keys: z.tuple([rootKey], rootKey) }).refine(({ keys }) => {
  return new Set(keys.map((root) => root.version)).size === keys.length;
});

/**
 * The demo's keyring, from its file; made (for its owner only) when there is neither a file nor a database that needs it.
 * @throws StartRefusal when the file cannot be read, or is missing
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
    // Neither zod nor JSON.parse may be quoted: their messages can carry the keys.
    throw new StartRefusal(
      `${file} cannot be read as {"keys": [{"version": 1, "key": "32 bytes in base64"}]}`,
    );
  }
}

/**
 * Whole or not at all, and on the disk before anything is encrypted with it. Of several processes that start at once
 * the first one's is the file, and all read it.
 */
function makeKeyFile(file: string): void {
  const keys = [{ version: 1, key: randomBytes(KEY_BYTES).toString("base64") }];
  const draft = `${file}.${randomUUID()}`;
  const handle = openSync(draft, "wx", 0o600);
  writeSync(handle, `${JSON.stringify({ keys }, undefined, 2)}\n`);
  fsyncSync(handle);
  closeSync(handle);
  linkUnlessThere(draft, file);
  unlinkSync(draft);
  const folder = openSync(dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

function linkUnlessThere(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
