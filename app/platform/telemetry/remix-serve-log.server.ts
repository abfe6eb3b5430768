import { createRequire } from "node:module";

interface Morgan {
  format(name: string, line: () => undefined): void;
}

/**
 * Stops `remix-serve` from writing its own log lines. It writes each request's full address to stdout in morgan's
 * "tiny" format, and the address of an API call can hold a username (S86). Our log has the route's pattern instead.
 */
export function silenceRemixServe(): void {
  const remixServe = createRequire(import.meta.url).resolve("@remix-run/serve/package.json");
  const morgan = createRequire(remixServe)("morgan") as Morgan;
  morgan.format("tiny", () => undefined);
}
