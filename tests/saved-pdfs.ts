import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A PDF that a browser has saved. */
export interface SavedPdf {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The file extensions in Firefox and WebKit of a download that isn't complete. */
const COMING_IN = /\.(part|wkdownload)$/;
const END = "%%EOF\n";

/** The PDFs in a folder, as soon as they are whole. */
export async function savedIn(folder: string): Promise<readonly SavedPdf[]> {
  const names = (await readdir(folder)).filter((name) => !COMING_IN.test(name));
  const files = await Promise.all(
    names.map(async (name) => ({ name, bytes: await readFile(join(folder, name)) })),
  );
  return files.filter(({ bytes }) => bytes.subarray(-END.length).toString("latin1") === END);
}
