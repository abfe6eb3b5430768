import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PAGE_ATTRIBUTES } from "~/contract/rules/page";

const sourcesIn = (...places: readonly string[]) =>
  places.flatMap((place) =>
    statSync(place).isFile()
      ? [place]
      : readdirSync(place, { recursive: true, encoding: "utf8" })
          .filter((path) => /\.tsx?$/.test(path))
          .map((path) => join(place, path)),
  );
const found = (paths: readonly string[], pattern: RegExp) =>
  new Set(
    paths.flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(pattern)].map(([, name, other = ""]) => kebab(name ?? other)),
    ),
  );
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const PAGES = sourcesIn("app/ui", "app/shell", "app/journeys", "app/forms", "app/demo", "app/root.tsx");
const SCRIPTS = sourcesIn("app/browser", "app/entry.client.ts");
const written = found(PAGES, /\bdata-([a-z0-9-]+)(?=[\s=:">}])/g);
const read = found(SCRIPTS, /\bdata-([a-z0-9-]+)|dataset\[?\.?"?([a-zA-Z]+)/g);

/** For stylesheets, password managers and screen shots. */
const FOR_OTHERS = ["1p-ignore", "bwignore", "lpignore", "key", "on", "off", "says", "screen-only"];
/** Scripts write and read these themselves. */
const OF_SCRIPTS = ["blocked", "modal", "scripts", "stays", "typed"];
const listed = Object.keys(PAGE_ATTRIBUTES).map((name) => name.slice("data-".length));

describe("the attributes by which a page speaks to its script", () => {
  it("are in the list, each of them that a page writes", () => {
    expect([...written].filter((name) => !listed.includes(name) && !FOR_OTHERS.includes(name))).toEqual([]);
  });

  it("are in the list, each of them that a script reads", () => {
    expect([...read].filter((name) => !listed.includes(name) && !OF_SCRIPTS.includes(name))).toEqual([]);
  });

  it("are written by a page and read by a script, each of the list", () => {
    expect(listed.filter((name) => !written.has(name) || !read.has(name))).toEqual([]);
  });
});
