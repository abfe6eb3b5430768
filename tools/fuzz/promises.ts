import { SECURITY_HEADERS } from "~/server/front-door/headers.server";
import { INSIDES } from "../../tests/attack/insides";
import type { HttpAnswer } from "../../tests/http-request";
import { NOBODY, type Canaries, type Reader } from "./canaries";

/** The outcome of a request. */
export type Outcome =
  | { readonly kind: "answered"; readonly answer: HttpAnswer }
  /** The connection ended without an answer. */
  | { readonly kind: "cut"; readonly why: string }
  /** No answer came in time; it counts as hung. */
  | { readonly kind: "hung"; readonly seconds: number };

/** The sender, as far as we know. */
export interface Asker {
  /** The numbers of the people whose own pages these are. */
  readonly people: ReadonlySet<number>;
  /** Tokens and codes that must not come back. */
  readonly tokens: readonly string[];
  readonly codes: readonly string[];
}

/** The texts that all answers are searched for. */
export interface Watch {
  readonly canaries: Canaries;
  /** Texts that no answer may hold: passwords and keys. */
  readonly secrets: readonly string[];
  /** Finds people's names, numbers and usernames; the group "nth" is the number of a person of the run. */
  readonly strangers: RegExp;
}

/** A broken promise: a name to tell faults apart by, and the evidence. */
export interface Fault {
  /** `answer`: a broken answer; `leak`: it shows something that must stay secret. */
  readonly kind: "answer" | "leak";
  readonly name: string;
  readonly seen: string;
}

const PAGE = /^<!DOCTYPE html>\s*<html lang="(?:pl|en)"[^]*<title>[^<]+<\/title>[^]*<\/html>\s*$/i;
const LOCAL = /^\/(?![/\\])/;
const SHORT = 200;

/** Every promise about one answer that it breaks. */
export function faultsOf(outcome: Outcome, asker: Asker, watch: Watch): readonly Fault[] {
  switch (outcome.kind) {
    case "hung":
      return [{ kind: "answer", name: "no answer", seen: `none for ${outcome.seconds} s` }];
    case "cut":
      return [{ kind: "answer", name: "connection cut", seen: outcome.why }];
    case "answered":
      return [...faultsOfForm(outcome.answer), ...leaksOf(outcome.answer, asker, watch)];
  }
}

/** Whether it is an answer that a person or a program can use. */
function faultsOfForm(answer: HttpAnswer): readonly Fault[] {
  const { status, body, header } = answer;
  const faults: Fault[] = [];
  const add = (fault: Omit<Fault, "kind">) => faults.push({ kind: "answer", ...fault });
  if (status >= 500) add({ name: `${status}`, seen: body.slice(0, SHORT) });
  for (const { name, value } of SECURITY_HEADERS) {
    if (answer.lines(name).join() !== value) add({ name: `header ${name}`, seen: answer.lines(name).join() });
  }
  const type = header("Content-Type") ?? "";
  if (type.startsWith("text/html") && body !== "" && !PAGE.test(body))
    add({ name: "not a whole page", seen: `${body.slice(0, SHORT)} … ${body.slice(-SHORT)}` });
  if (type.startsWith("application/json") && body !== "" && !isJson(body))
    add({ name: "not JSON", seen: body.slice(0, SHORT) });
  const location = header("Location") ?? header("X-Location");
  if (location !== undefined && !LOCAL.test(location)) add({ name: "leads elsewhere", seen: location });
  const inside = INSIDES.map((pattern) => pattern.exec(body)?.[0]).find((found) => found !== undefined);
  if (inside !== undefined) add({ name: "shows its insides", seen: around(body, inside) });
  return faults;
}

/** The leaks in an answer: texts that this visitor, or all visitors, must not see. */
function leaksOf(answer: HttpAnswer, { people, tokens, codes }: Asker, watch: Watch): readonly Fault[] {
  const isApi = (answer.header("Content-Type") ?? "").startsWith("application/json");
  const own: Reader = { kinds: isApi ? ["kept"] : ["typed", "kept"], people };
  // The lines that set cookies, or all the others.
  const heads = (isSet: boolean) =>
    answer.headerNames
      .filter((name) => (name === "set-cookie") === isSet)
      .map((name) => `${name}: ${answer.lines(name).join("\n")}`)
      .join("\n");
  const [headers, cookies] = [heads(false), heads(true)];
  const leak =
    (where: string) =>
    (what: string): Fault => ({ kind: "leak", name: where, seen: what });
  return [
    ...watch.canaries.leaksIn(answer.body, own).map(leak("in the body")),
    ...watch.canaries.leaksIn(headers, NOBODY).map(leak("in a header")),
    ...watch.canaries.leaksIn(cookies, NOBODY).map(leak("in a cookie")),
    ...[...watch.secrets, ...tokens]
      .filter((secret) => answer.body.includes(secret) || headers.includes(secret))
      .map((secret) => leak("a password, key or token comes back")(around(answer.body, secret))),
    ...codes
      .filter((code) => new RegExp(`(?<![\\w#.-])${code}(?!\\w|\\.\\d)`).test(answer.body + headers))
      .map((code) => leak("a code comes back")(around(answer.body, code))),
    ...strangersIn(`${answer.body}\n${headers}`, people, watch.strangers).map(leak("of somebody else")),
  ];
}

/** Names, numbers and usernames in a text that belong to other customers. */
export function strangersIn(
  text: string,
  people: ReadonlySet<number> | undefined,
  strangers: RegExp,
): readonly string[] {
  const found = [...text.matchAll(strangers)].flatMap(({ 0: whole, groups }) => {
    const nth = groups?.["nth"] ?? groups?.["pid"] ?? groups?.["user"];
    return nth !== undefined && people?.has(Number(nth)) ? [] : [whole];
  });
  return [...new Set(found)];
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

function around(text: string, found: string): string {
  const at = text.indexOf(found);
  return text.slice(Math.max(0, at - SHORT), at + found.length + SHORT);
}
