import { NOBODY, type Reader } from "./canaries";
import type { Ground } from "./ground";
import { PEOPLE, PEOPLE_IN_BYTES } from "./people";
import { strangersIn, type Fault, type Watch } from "./promises";

/** Values that were seen during a run and must be nowhere else. */
export interface Seen {
  readonly tokens: ReadonlySet<string>;
  readonly codes: ReadonlySet<string>;
}

/** A token is found by its first characters, this many: part of a token is a leak, too. */
const BEGINNING = 20;
const MOST_SHOWN = 5;

/** Searches the log, the metrics and the database for everything that must not be there. */
export async function faultsLeftBehind(ground: Ground, watch: Watch, seen: Seen): Promise<readonly Fault[]> {
  const log = ground.portal.log();
  const errors = log.split("\n").filter((line) => /"level":"(?:error|fatal)"/.test(line));
  return [
    ...errors
      .slice(0, MOST_SHOWN)
      .map((line): Fault => ({ kind: "answer", name: "an error in the log", seen: line })),
    ...faultsIn("the log", log, watch, { ...seen, reader: NOBODY, people: PEOPLE }),
    ...faultsIn("the metrics", await ground.metrics(), watch, { ...seen, reader: NOBODY, people: PEOPLE }),
    // Usernames are stored in clear.
    ...faultsIn("the database", await ground.dump(), watch, {
      ...seen,
      reader: { kinds: ["kept"] },
      people: PEOPLE_IN_BYTES,
    }),
  ];
}

/** Everything in a text that must not be in it. */
export function faultsIn(
  place: string,
  text: string,
  { canaries, secrets }: Pick<Watch, "canaries" | "secrets">,
  { tokens, codes, reader, people }: Seen & { readonly reader: Reader; readonly people: RegExp },
): readonly Fault[] {
  if (text === "") return [{ kind: "leak", name: `${place} is empty`, seen: "nothing to search" }];
  const found = [
    ...canaries.leaksIn(text, reader),
    ...secrets.filter((secret) => text.includes(secret)),
    ...strangersIn(text, undefined, people),
    ...tokensOf(text, tokens).map((token) => `token ${token}`),
    ...codesOf(text, codes).map((code) => `code ${code}`),
  ];
  return found.slice(0, MOST_SHOWN).map((what) => {
    const at = text.indexOf(what.replace(/^(?:\w+ mark|token|code) /, ""));
    return { kind: "leak", name: `in ${place}: ${what}`, seen: text.slice(Math.max(0, at - 100), at + 100) };
  });
}

function tokensOf(text: string, tokens: ReadonlySet<string>): readonly string[] {
  const beginnings = new Set([...tokens].map((token) => token.slice(0, BEGINNING)));
  const found = new Set<string>();
  for (const [run] of text.matchAll(/[\w-]{20,}/g)) {
    for (let at = 0; at + BEGINNING <= run.length; at += 1) {
      const part = run.slice(at, at + BEGINNING);
      if (beginnings.has(part)) found.add(part);
    }
  }
  return [...found];
}

/**
 * Codes that stand on their own: not those in a longer number, a policy number or a fraction, nor between other
 * numbers, as in SQLite's statistics: `734 734`, twice, is written `734 734734 734`.
 */
function codesOf(text: string, codes: ReadonlySet<string>): readonly string[] {
  const code = /(?<![\w.+/=-])(?:(?<!\d )\d{6}|\d{6}(?! \d))(?![\w+/=-]|\.\d)/g;
  const runs = new Set([...text.matchAll(code)].map(([run]) => run));
  return [...codes].filter((each) => runs.has(each));
}
