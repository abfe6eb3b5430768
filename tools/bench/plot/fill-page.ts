import { readFileSync } from "node:fs";
import { formatAs } from "../../../scripts/generate/format";

/**
 * A page with other text in its places, formatted as it is checked in. A place begins with `<!-- name -->` and ends
 * with `<!-- end of name -->`.
 * @throws Error if the page has no such place
 */
export async function filledPage(path: string, texts: Readonly<Record<string, string>>): Promise<string> {
  const filled = Object.entries(texts).reduce(
    (page, [name, text]) => {
      const place = new RegExp(`(<!-- ${name} -->\n)[^]*?(<!-- end of ${name} -->)`);
      if (!place.test(page)) throw new Error(`${path} has no place "${name}"`);
      return page.replace(place, (_, begin: string, end: string) => `${begin}\n${text}\n\n${end}`);
    },
    readFileSync(path, "utf8"),
  );
  return formatAs(path, filled);
}
