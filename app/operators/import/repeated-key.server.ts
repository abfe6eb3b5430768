/**
 * The first key that an object in this JSON has twice, at any depth; undefined if there is none. `JSON.parse` keeps the
 * last of both and says nothing, so that one of two policy numbers would be lost.
 * @param json must be valid
 */
export function repeatedKey(json: string): string | undefined {
  /** The keys so far of each object that is open; undefined for a list. */
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === "{") open.push(new Set());
    else if (character === "[") open.push(undefined);
    else if (character === "}" || character === "]") open.pop();
    else if (character === '"') {
      const end = endOfString(json, at);
      const keys = open.at(-1);
      if (keys !== undefined && isBeforeColon(json, end)) {
        const key = textOf(json.slice(at, end));
        if (keys.has(key)) return key;
        keys.add(key);
      }
      at = end - 1;
    }
  }
  return undefined;
}

/** Where the string ends that begins at this place, its quote included. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** A string before a colon is a key: no value is. */
function isBeforeColon(json: string, end: number): boolean {
  let at = end;
  while (" \t\r\n".includes(json[at] ?? ":")) at += 1;
  return json[at] === ":";
}

/** The same key can be spelled with escapes. */
function textOf(string: string): string {
  return string.includes("\\") ? (JSON.parse(string) as string) : string.slice(1, -1);
}
