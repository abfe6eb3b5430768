import { createRequire } from "node:module";

interface Morgan {
  format(name: string, line: () => undefined): void;
}

/**
 * Has `remix-serve` write no lines of its own. It writes each request's whole address to stdout, by the format "tiny"
 * of its morgan, and a call of the API has a username there (S86). Ours has the route's pattern.
 */
export function silenceRemixServe(): void {
  const remixServe = createRequire(import.meta.url).resolve("@remix-run/serve/package.json");
  const morgan = createRequire(remixServe)("morgan") as Morgan;
  morgan.format("tiny", () => undefined);
}
