import { CALLS, type CallName } from "~/contract/calls.server";

/** Which call a request makes. */
type Route =
  | { readonly kind: "call"; readonly name: CallName; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: "unknown-path" }
  | { readonly kind: "wrong-method"; readonly allowed: readonly string[] };

const NAMES = Object.keys(CALLS) as CallName[];

/** A segment of a call's path: fixed text or a named parameter. */
type Segment = { readonly text: string } | { readonly parameter: string };

const PATTERNS = NAMES.map((name) => ({
  name,
  method: CALLS[name].method,
  segments: CALLS[name].path.split("/").map(toSegment),
}));

function toSegment(text: string): Segment {
  const parameter = /^\{(\w+)\}$/.exec(text)?.[1];
  return parameter === undefined ? { text } : { parameter };
}

/** Finds the call for a method and path. `{…}` in a call's path stands for one segment. */
export function findRoute(method: string, path: string): Route {
  const here = AT_FIXED_PATHS.get(path) ?? callsAt(path);
  if (here.length === 0) return { kind: "unknown-path" };
  const found = here.find((candidate) => candidate.method === method);
  if (!found) return { kind: "wrong-method", allowed: here.map((candidate) => candidate.method) };
  return { kind: "call", name: found.name, parameters: found.parameters };
}

/** The calls at the paths that have no parameters. Every page makes some of them. */
const AT_FIXED_PATHS = new Map(
  NAMES.map((name): string => CALLS[name].path)
    .filter((path) => !path.includes("{"))
    .map((path) => [path, callsAt(path)]),
);

/** The calls at a path, with the values of its parameters. */
function callsAt(path: string) {
  const segments = path.split("/");
  return PATTERNS.flatMap(({ name, method, segments: pattern }) => {
    const parameters = match(pattern, segments);
    return parameters ? [{ name, method, parameters }] : [];
  });
}

function match(pattern: readonly Segment[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  // Most patterns already differ in their text, so compare that before decoding anything.
  if (pattern.some((expected, index) => "text" in expected && expected.text !== segments[index]))
    return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    if ("text" in expected) continue;
    const value = decode(segments[index] ?? "");
    if (value === undefined || value === "") return undefined;
    parameters[expected.parameter] = value;
  }
  return parameters;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
