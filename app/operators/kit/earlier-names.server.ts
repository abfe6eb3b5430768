/*
 * Commands that were renamed. The earlier name works for one release more, says so on standard error, and stands in no
 * help (docs/operations/commands.md, "Earlier names").
 * @for-release 2026-11-27-3518647619b2
 */

type Words = readonly string[];

interface EarlierName {
  readonly name: Words;
  /** The present name, and the words after it. */
  readonly now: (rest: Words) => { readonly name: Words; readonly rest: Words };
}

const EARLIER: readonly EarlierName[] = [
  {
    name: ["sms-test"],
    now: (rest) => ({
      name: ["send-test", rest.includes("--fallback") ? "--sms-fallback" : "--sms"],
      rest: rest.filter((word) => word !== "--fallback"),
    }),
  },
  { name: ["mail-test"], now: (rest) => ({ name: ["send-test", "--mail"], rest }) },
  { name: ["backup-mac-key"], now: (rest) => ({ name: ["backup-key", "--mac"], rest }) },
  { name: ["policy", "remove"], now: (rest) => ({ name: ["policy", "take-back"], rest }) },
  { name: ["document", "remove"], now: (rest) => ofDocument("take-back", rest) },
  { name: ["document", "restore"], now: (rest) => ofDocument("restore", rest) },
];

/** The options of the `document` commands that took a value. */
const WITH_VALUE: Words = ["--operator", "--reason"];

/** The id stood anywhere among the options. Now an option precedes it. */
function ofDocument(verb: string, rest: Words): { readonly name: Words; readonly rest: Words } {
  const name = ["policy", verb, "--document"];
  const at = rest.findIndex(
    (word, nth) => !word.startsWith("-") && !WITH_VALUE.includes(rest[nth - 1] ?? ""),
  );
  return { name, rest: [...rest.slice(at, at + 1), ...rest.filter((_, nth) => nth !== at)] };
}

/** The present words for a command line, and a sentence for the operator if it has an earlier name. */
export function presentWords(words: Words): { readonly words: Words; readonly remark?: string } {
  const earlier = EARLIER.find(({ name }) => name.every((word, nth) => words[nth] === word));
  if (!earlier) return { words };
  const { name, rest } = earlier.now(words.slice(earlier.name.length));
  const [was, is] = [earlier.name.join(" "), name.join(" ")];
  return {
    words: [...name, ...rest],
    remark: `portal: ${was} is now ${is}; the earlier name goes with the next release`,
  };
}
