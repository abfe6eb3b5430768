import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readEnvironment } from "~/platform/config/environment.server";
import { isSampleKey, isSampleText } from "~/platform/config/secret-variables.server";

const read = (source: Readonly<Record<string, string>>) => {
  const reading = readEnvironment(source);
  return reading.ok ? reading.environment : reading.problems;
};
const key = (bytes: Uint8Array | string = randomBytes(32)) => Buffer.from(bytes).toString("base64");

const RANDOM = "a random value (openssl rand -base64 32), not a sample";
const KEYS = "keys such as 2:<32 bytes in base64>,1:<32 bytes in base64>";

describe("[S88] a secret that anyone could guess", () => {
  it.each([
    "changeme-changeme-changeme-changeme",
    "ChangeMeToSomethingLongAndRandom1234",
    "a".repeat(32),
    "abcdefghabcdefghabcdefghabcdefgh",
    "0123456789abcdef0123456789abcdef",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefgh",
    "my-very-long-session-secret-of-portal",
    "10101010101010101010101010101010",
    "example-0f7Qm2Lw9XzR4tVb8NcYd1Ks",
  ])("is refused for SESSION_SECRET: %s", (secret) => {
    const good = key();
    expect(read({ SESSION_SECRET: secret })).toEqual([`SESSION_SECRET: expected ${RANDOM}`]);
    expect(read({ SESSION_SECRET: `${good},${secret}` })).toEqual([`SESSION_SECRET: expected ${RANDOM}`]);
  });

  it.each([
    ["zeros", new Uint8Array(32)],
    ["one byte", new Uint8Array(32).fill(0xa5)],
    [
      "a few bytes, repeated",
      Uint8Array.from({ length: 32 }, (_, at) => [7, 91, 200, 13, 77, 5, 151, 33][at % 8] ?? 0),
    ],
    ["counted bytes", Uint8Array.from({ length: 32 }, (_, at) => at)],
    ["words", "Zd9#kq-this-was-typed-by-someone"],
  ])("is refused for DATA_KEYS: %s", (_what, bytes) => {
    expect(read({ DATA_KEYS: `1:${key(bytes)}` })).toEqual([`DATA_KEYS: expected ${RANDOM}`]);
  });

  it("is never a random one", () => {
    for (let nth = 0; nth < 2000; nth += 1) {
      const bytes = randomBytes(32);
      expect(isSampleKey(bytes)).toBe(false);
      expect(
        ["base64", "base64url", "hex"].filter((form) => isSampleText(bytes.toString(form as "hex"))),
      ).toEqual([]);
    }
  });
});

describe("DATA_KEYS", () => {
  it("hold versioned keys, the current one first", () => {
    const [second, first] = [randomBytes(32), randomBytes(32)];
    expect(read({ DATA_KEYS: `2:${key(second)}, 1:${key(first)}` })).toMatchObject({
      DATA_KEYS: [
        { version: 2, key: second },
        { version: 1, key: first },
      ],
    });
  });

  const [one, other] = [key(), key()];
  it.each([
    ["no version", one, KEYS],
    ["version 0", `0:${one}`, KEYS],
    ["a version in words", `first:${one}`, KEYS],
    ["too short", `1:${key(randomBytes(31))}`, KEYS],
    ["too long", `1:${key(randomBytes(48))}`, KEYS],
    ["not base64", `1:${"*".repeat(43)}=`, KEYS],
    ["nothing but a comma", ",", KEYS],
    ["a version twice", `1:${one},1:${other}`, "each version once"],
    ["a key twice", `2:${one},1:${one}`, "each key once"],
  ])("[S88] that are wrong are refused by name, and not repeated: %s", (_what, value, expected) => {
    expect(read({ DATA_KEYS: value })).toEqual([`DATA_KEYS: expected ${expected}`]);
  });
});

describe("[S88, S116] a secret in a file", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "portal-secrets-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const fileWith = (content: string) => {
    writeFileSync(join(folder, "secret"), content);
    return join(folder, "secret");
  };

  it.each(["", "\n", "\r\n"])("is the file's content without one newline at the end: %j", (end) => {
    const [secret, dataKey] = [key(), randomBytes(32)];
    expect(read({ SESSION_SECRET_FILE: fileWith(secret + end) })).toMatchObject({ SESSION_SECRET: [secret] });
    expect(read({ DATA_KEYS_FILE: fileWith(`1:${key(dataKey)}${end}`) })).toMatchObject({
      DATA_KEYS: [{ version: 1, key: dataKey }],
    });
  });

  it("is checked like any other; the error names the file and doesn't show its content", () => {
    expect(read({ SESSION_SECRET_FILE: fileWith("kanarek") })).toEqual([
      "SESSION_SECRET: expected secrets of at least 32 characters, separated by commas",
    ]);
    expect(read({ DATA_KEYS_FILE: fileWith("kanarek") })).toEqual([`DATA_KEYS: expected ${KEYS}`]);
  });

  it("is refused by name if it is missing, empty or given twice", () => {
    expect(read({ SESSION_SECRET_FILE: join(folder, "kanarek") })).toEqual([
      "SESSION_SECRET_FILE: expected a file that can be read",
    ]);
    // An endless file.
    expect(read({ SESSION_SECRET_FILE: "/dev/zero" })).toEqual([
      "SESSION_SECRET_FILE: expected a file that can be read",
    ]);
    expect(read({ SESSION_SECRET_FILE: folder })).toEqual([
      "SESSION_SECRET_FILE: expected a file that can be read",
    ]);
    expect(read({ DATA_KEYS_FILE: fileWith("\n") })).toEqual([
      "DATA_KEYS_FILE: expected a file that is not empty",
    ]);
    expect(read({ SESSION_SECRET: key(), SESSION_SECRET_FILE: fileWith(key()) })).toEqual([
      "SESSION_SECRET: expected here or in SESSION_SECRET_FILE, not in both",
    ]);
  });

  it("works for secrets only", () => {
    expect(read({ PORTAL_MODE_FILE: fileWith("production") })).toEqual([
      "PORTAL_MODE_FILE: unknown variable",
    ]);
  });
});
