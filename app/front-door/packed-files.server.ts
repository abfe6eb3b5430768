import { readdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";

const ENDING = ".br";
/** Of files that are packed: `send` would know the name with its ending for nothing that a browser runs. */
const TYPE = "text/javascript; charset=utf-8";
/** `br` in a list of encodings, unless it is refused by `q=0`. */
const TAKES_BROTLI = /(?:^|,)\s*br\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:$|,)))/i;

/**
 * The scripts of a build that lie there packed as well, as small as brotli makes them: by their addresses. A server
 * that packs while it sends takes a fifth more, since it has no time for better.
 * @returns none where there is no build (a development server)
 */
export function packedFilesIn(assetsFolder: string, address: string): ReadonlySet<string> {
  try {
    const names = readdirSync(assetsFolder).filter((name) => name.endsWith(`.js${ENDING}`));
    return new Set(names.map((name) => `${address}${name.slice(0, -ENDING.length)}`));
  } catch {
    return new Set();
  }
}

/** Has a script answered by its packed file, where there is one and the browser takes it; says whether. */
export function servePackedFile(
  request: IncomingMessage,
  response: ServerResponse,
  packed: ReadonlySet<string>,
): boolean {
  const { url = "", headers } = request;
  if (!packed.has(url) || !TAKES_BROTLI.test(headers["accept-encoding"]?.toString() ?? "")) return false;
  request.url = `${url}${ENDING}`;
  response.setHeader("Content-Encoding", "br");
  response.setHeader("Content-Type", TYPE);
  return true;
}
