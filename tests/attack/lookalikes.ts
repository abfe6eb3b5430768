/** Those blank or invisible characters that fit in a header: Node reads and writes its bytes as Latin-1. */
export const BLANKS_IN_HEADERS: readonly string[] = [
  "\x85",
  "\xa0",
  "\xad",
  ...["\u00a0", "\u2003", "\u2028", "\u3000", "\ufeff"].map(asBytes),
];

function asBytes(character: string): string {
  return Buffer.from(character, "utf8").toString("latin1");
}

/** Names that a careless parser mistakes for this one. */
export function lookalikes(name: string, characters: readonly string[]): string[] {
  return characters.flatMap((one) => [
    `${one}${name}`,
    `${name}${one}`,
    ` ${one} ${name}`,
    `${name}\t${one}`,
  ]);
}
