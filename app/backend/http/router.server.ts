import { CALLS, type CallName } from "~/contract/calls.server";

/** Which call a request makes. */
type Route =
  | { readonly kind: "call"; readonly name: CallName; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: "unknown-path" }
  | { readonly kind: "wrong-method"; readonly allowed: readonly string[] };

const NAMES = Object.keys(CALLS) as CallName[];
const PATTERNS = NAMES.map((name) => ({
  name,
  method: CALLS[name].method,
  segments: CALLS[name].path.split("/"),
}));

/** Finds the call of a method and path. `{…}` in a call's path stands for one segment. */
export function findRoute(method: string, path: string): Route {
  const segments = path.split("/");
  const here = PATTERNS.flatMap((pattern) => {
    const parameters = match(pattern.segments, segments);
    return parameters ? [{ ...pattern, parameters }] : [];
  });
  if (here.length === 0) return { kind: "unknown-path" };
  const found = here.find((candidate) => candidate.method === method);
  if (!found) return { kind: "wrong-method", allowed: here.map((candidate) => candidate.method) };
  return { kind: "call", name: found.name, parameters: found.parameters };
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(expected)?.[1];
    if (name === undefined) {
      if (segment !== expected) return undefined;
      continue;
    }
    const value = decode(segment);
    if (value === undefined || value === "") return undefined;
    parameters[name] = value;
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
