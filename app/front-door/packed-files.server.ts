import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { acceptsEncoding } from "./accepts-encoding";

const ENDING = ".br";
/** The type of packed files: `send` would not recognize a name that ends in `.br` as a script. */
const TYPE = "text/javascript; charset=utf-8";

/**
 * The addresses of a build's scripts that have a copy packed with brotli's best level. Packed on the fly they would be
 * a fifth larger, because that level takes too long.
 * @returns none when there is no build (a development server)
 */
export function packedFilesIn(assetsFolder: string, address: string): ReadonlySet<string> {
  try {
    const names = readdirSync(assetsFolder).filter((name) => name.endsWith(`.js${ENDING}`));
    return new Set(names.map((name) => `${address}${name.slice(0, -ENDING.length)}`));
  } catch {
    return new Set();
  }
}

/** Answers with a script's packed file if it has one and the browser takes it. @returns whether it did */
export function servePackedFile(
  request: IncomingMessage,
  response: ServerResponse,
  packed: ReadonlySet<string>,
): boolean {
  const { url = "", headers } = request;
  if (!packed.has(url) || !acceptsEncoding(headers["accept-encoding"], "br")) return false;
  request.url = `${url}${ENDING}`;
  response.setHeader("Content-Encoding", "br");
  response.setHeader("Content-Type", TYPE);
  return true;
}
