import { readFileSync } from "node:fs";
import { format } from "oxfmt";

const STYLE = JSON.parse(readFileSync(new URL("../../.oxfmtrc.json", import.meta.url), "utf8")) as Parameters<
  typeof format
>[2];

/** A file's text, formatted as it is checked in. */
export async function formatAs(path: string, text: string): Promise<string> {
  const { code, errors } = await format(path, text, STYLE);
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join(", ")}`);
  return code;
}
