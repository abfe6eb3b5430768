import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { StartRefusal } from "../start-refusal.server";
import { KEY_BYTES, makeKeyring, type Keyring, type RootKey } from "./keyring.server";

const rootKey = z
  .object({ version: z.int().positive(), key: z.base64() })
  .transform(({ version, key }): RootKey => ({ version, key: Buffer.from(key, "base64") }))
  .refine((root) => root.key.byteLength === KEY_BYTES);

const keyFile = z.object({ keys: z.tuple([rootKey], rootKey) }).refine(({ keys }) => {
  return new Set(keys.map((root) => root.version)).size === keys.length;
});

/**
 * The demo's keyring, from its file; made (for its owner only) when there is neither a file nor a database.
 * @throws StartRefusal when the file cannot be read, or is missing beside a database that needs it
 */
export function readOrMakeKeyFile(file: string, databaseFile: string): Keyring {
  if (!existsSync(file)) {
    if (existsSync(databaseFile))
      throw new StartRefusal(`${file} is missing: ${databaseFile} cannot be read without it`);
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

/** Whole or not at all, and on the disk before anything is encrypted with it. */
function makeKeyFile(file: string): void {
  const keys = [{ version: 1, key: randomBytes(KEY_BYTES).toString("base64") }];
  const draft = `${file}.new`;
  const handle = openSync(draft, "w", 0o600);
  writeSync(handle, `${JSON.stringify({ keys }, undefined, 2)}\n`);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(draft, file);
  const folder = openSync(dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}
