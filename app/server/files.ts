import { readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";
import type { ServeFile } from "./portal-server";

/**
 * The addresses of the files in these folders, which Express serves. They are read once: a file that is added while the
 * portal runs is not found, and a made-up name never costs a look at the disk.
 * @param folders missing folders are skipped
 */
export function filesIn(...folders: readonly string[]): ReadonlySet<string> {
  return new Set(folders.flatMap(filesBelow));
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => `/${name}`);
  } catch {
    return [];
  }
}

/** Whether an address is that of a file; it may be percent-encoded. */
export function isFile(files: ReadonlySet<string>, path: string): boolean {
  if (!path.includes("%")) return files.has(path);
  try {
    return files.has(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** The types of the files that pages load by themselves. */
const TYPES: Readonly<Record<string, string>> = {
  ".ico": "image/x-icon",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};
const YEAR = "public, max-age=31536000, immutable";
const HOUR = "public, max-age=3600";

/** Files that are served from memory, without Express: a page's icon and fonts. */
export interface CachedFiles {
  readonly addresses: ReadonlySet<string>;
  readonly serve: ServeFile;
}

/** Reads the icons and fonts of a folder, which are small and few. */
export function cachedFiles(folder: string): CachedFiles {
  const kept = new Map(
    [...filesIn(folder)]
      .filter((address) => extname(address) in TYPES)
      .map((address) => [address, readFileSync(join(folder, address))] as const),
  );
  const readAt = new Date().toUTCString();
  return {
    addresses: new Set(kept.keys()),
    serve: ({ url = "" }, response) => {
      const [address = ""] = url.split("?", 1);
      const path = decodeURIComponent(address);
      const content = kept.get(path);
      response
        .writeHead(200, {
          "Content-Type": TYPES[extname(path)],
          "Content-Length": content?.byteLength,
          // By these two the front door knows an answer that a browser may keep (headers.server.ts).
          "Accept-Ranges": "none",
          "Last-Modified": readAt,
          "Cache-Control": path.startsWith("/assets/") ? YEAR : HOUR,
        })
        .end(content);
    },
  };
}
