import { createReadStream, createWriteStream, readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import type { Decrypter, Encrypter } from "age-encryption";
import { reasonOf, UsageError } from "~/platform/lifecycle/operator-errors.server";
import { hashing, type Mac } from "~/platform/files/hashing.server";

/** Loaded only by commands that need it: together with nodemailer, it was half of each command's load. */
const age = () => import("age-encryption");

/** Every age file begins with this. The head of a genuine one is much shorter than the limit below. */
const BEGINNING = "age-encryption.org/v1\n";
const HEAD_END = "\n--- ";
const MOST_HEAD_BYTES = 64 * 1024;

/** A backup can't be decrypted: the key is wrong, or the file is damaged or cut off. */
export class UnreadableBackup extends Error {
  override readonly name = "UnreadableBackup";
}

/** Encrypts to public keys of age. @throws UsageError if one of them is mistyped */
export async function encrypterFor(recipients: readonly string[]): Promise<Encrypter> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch {
      throw new UsageError(`BACKUP_RECIPIENTS: ${recipient} is mistyped`);
    }
  }
  return encrypter;
}

/**
 * Writes a new encrypted file that only its owner can read, and syncs it to disk. Holds only a few chunks in memory.
 * @param hash is fed what is written, if there is one
 */
export async function encryptTo(
  file: string,
  encrypter: Encrypter,
  plain: Readable,
  hash?: Mac,
): Promise<void> {
  const encrypted: Readable = fromWeb(await encrypter.encrypt(toWeb(plain)));
  await pipeline(
    hash ? Readable.from(hashing<Uint8Array>(encrypted, hash)) : encrypted,
    createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }),
  );
}

/** Reads private keys as `portal backup-key` and age-keygen write them. @throws UsageError, with no key in its message */
export async function readIdentities(file: string): Promise<Decrypter> {
  const { Decrypter } = await age();
  const decrypter = new Decrypter();
  const lines = contentOf(file).split(/\r?\n/);
  const keys = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  if (keys.length === 0) throw new UsageError(`--identity: ${file} holds no private key of age`);
  for (const key of keys) {
    try {
      decrypter.addIdentity(key);
    } catch {
      throw new UsageError(`--identity: ${file} holds a line that is no private key of age`);
    }
  }
  return decrypter;
}

/**
 * Decrypts a file as it is read. Each chunk is authenticated before it is passed on; the stream fails with
 * UnreadableBackup at the first chunk that was changed or is missing.
 * @param proof its hash is fed the encrypted file; the stream fails unless that is whole at the end
 * @throws UnreadableBackup if none of the keys opens the file
 */
export async function decryptFrom(
  file: string,
  decrypter: Decrypter,
  proof?: { readonly hash: Mac; readonly isWhole: () => boolean },
): Promise<Readable> {
  await checkHead(file);
  const content = createReadStream(file);
  const encrypted = proof ? Readable.from(hashing<Buffer>(content, proof.hash)) : content;
  try {
    return Readable.from(
      withReason(file, fromWeb(await decrypter.decrypt(toWeb(encrypted))), proof?.isWhole),
    );
  } catch (error) {
    encrypted.destroy();
    const isOther = error instanceof Error && error.message.startsWith("no identity matched");
    throw new UnreadableBackup(
      isOther ? `${file} was encrypted to other keys` : `${file} is damaged: ${reasonOf(error)}`,
    );
  }
}

async function* withReason(file: string, plain: Readable, isWhole = () => true): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of plain) yield chunk as Uint8Array;
  } catch (error) {
    throw new UnreadableBackup(`${file} is damaged or cut off: ${reasonOf(error)}`);
  }
  if (!isWhole()) throw new UnreadableBackup(`${file} was changed while it was read`);
}

/** Checks the head. Otherwise age would read a file without line ends into memory, looking for the first line. */
async function checkHead(file: string): Promise<void> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MOST_HEAD_BYTES), 0, MOST_HEAD_BYTES, 0);
    const head = buffer.toString("latin1", 0, bytesRead);
    if (!head.startsWith(BEGINNING) || !head.includes(HEAD_END))
      throw new UnreadableBackup(`${file} is not a file that age has encrypted`);
  } finally {
    await handle.close();
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`--identity: ${file} is not a file that can be read`);
  }
}

/** Node's type of web streams differs from the browser's in name only. */
function toWeb(plain: Readable): globalThis.ReadableStream<Uint8Array> {
  return Readable.toWeb(plain) as globalThis.ReadableStream<Uint8Array>;
}

function fromWeb(stream: globalThis.ReadableStream<Uint8Array>): Readable {
  return Readable.fromWeb(stream as ReadableStream<Uint8Array>);
}

/** Makes a pair of keys. The private one is written as age-keygen writes it. */
export async function makeBackupKeys(): Promise<{ readonly recipient: string; readonly file: string }> {
  const { generateX25519Identity, identityToRecipient } = await age();
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  return { recipient, file: `# public key: ${recipient}\n${identity}\n` };
}
