import { z } from "zod";
import { list } from "./variable-values.server";

/** Words found in examples and first drafts. Long enough not to occur by chance. */
const WORDS = /change[-_ ]?me|replace|secret|passw[o0d]|example|sample|default|qwerty|placeholder|insecure/i;
const LEAST_DISTINCT = 8;

/**
 * Whether a secret is visibly not random: words from examples, few distinct characters, one piece repeated, or runs
 * like `0123456789` (S88). Refuses a really random secret less than once in a million times.
 */
export function isSampleText(text: string): boolean {
  return WORDS.test(text) || isPattern([...text].map((character) => character.codePointAt(0) ?? 0));
}

/** The same for the bytes of a key. A key made of readable text was typed, so it isn't random. */
export function isSampleKey(key: Uint8Array): boolean {
  return isPattern([...key]) || key.every((byte) => byte >= 0x20 && byte < 0x7f);
}

function isPattern(units: readonly number[]): boolean {
  const steps = units.filter((unit, at) => at > 0 && Math.abs(unit - (units[at - 1] ?? unit)) <= 1);
  return new Set(units).size < LEAST_DISTINCT || steps.length > units.length / 2 || isRepetition(units);
}

function isRepetition(units: readonly number[]): boolean {
  for (let length = 1; length <= units.length / 2; length += 1) {
    if (units.every((unit, at) => at < length || unit === units[at - length])) return true;
  }
  return false;
}

/** A root key of the embedded backend: 32 random bytes, and a version number that is never reused. */
interface DataKey {
  readonly version: number;
  readonly key: Uint8Array;
}

const SECRETS = "secrets of at least 32 characters, separated by commas";
const KEYS = "keys such as 2:<32 bytes in base64>,1:<32 bytes in base64>";
const RANDOM = "a random value (openssl rand -base64 32), not a sample";
const DATA_KEY = /^([1-9]\d{0,8}):([A-Za-z0-9+/]{43}=)$/;

const sessionSecret = z
  .string()
  .min(32, SECRETS)
  .refine((secret) => !isSampleText(secret), RANDOM);

/** Secrets of which the first seals and any opens. */
export const sessionSecrets = list.pipe(z.array(sessionSecret).min(1, SECRETS));

/** One key with its version. */
export const dataKey = z
  .string(KEYS)
  .transform((text, context): DataKey => {
    const [, version, base64 = ""] = DATA_KEY.exec(text) ?? [];
    if (version !== undefined && !isSampleText(base64))
      return { version: Number(version), key: Buffer.from(base64, "base64") };
    context.addIssue({ code: "custom", message: version === undefined ? KEYS : RANDOM });
    return z.NEVER;
  })
  .refine(({ key }) => !isSampleKey(key), RANDOM);

const dataKeys = list
  .pipe(z.tuple([dataKey], dataKey))
  .refine((keys) => new Set(keys.map(({ version }) => version)).size === keys.length, "each version once")
  .refine(
    (keys) => new Set(keys.map(({ key }) => Buffer.from(key).toString("hex"))).size === keys.length,
    "each key once",
  );

/** Secrets known only to the portal. Each is a list, so that customers don't notice a rotation (S89). */
export const secretVariables = {
  SESSION_SECRET: sessionSecrets.optional().meta({
    description:
      "One or more secrets of at least 32 characters, separated by commas; `openssl rand -base64 32` makes one. The first seals the flow cookie, any of them opens it. A demo without one creates it in `DATA_DIR`.",
    secret: true,
    needed: "in production",
  }),
  DATA_KEYS: dataKeys.optional().meta({
    description:
      "The embedded backend's keys, as `2:<key>,1:<key>`: each is a version, a colon, and 32 random bytes in base64 (`openssl rand -base64 32`). New data is encrypted with the first, and any of them decrypts. If the keys are lost, so is the data: keep a copy elsewhere. A demo without keys creates one in `DATA_DIR`.",
    secret: true,
    needed: "in production, without BACKEND_URL",
  }),
};
