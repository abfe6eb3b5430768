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
