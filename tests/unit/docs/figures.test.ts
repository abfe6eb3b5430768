import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { fillFigures } from "../../../scripts/generate/figures";
import { inspect } from "../../pdf-tools";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

const DOCS = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(md|html)$/.test(path))
  .map((path) => `docs/${path}`);
const PAGES = ["README.md", ...DOCS];

/** Figures in the legal documents that come from the law or the insurer, not from us. */
const FOREIGN = ["14 dni", "30 dni wcześniej", "30 dni od otrzymania", "60 dni", "12 miesięcy"];

it.each(PAGES)("%s names limits as they ship (npm run configuration-docs)", (path) => {
  expect(fillFigures(read(path))).toBe(read(path));
});

describe.each(["regulamin-portalu", "polityka-cookies"])("the legal document %s", (name) => {
  const source = read(`docs/legal/${name}.html`);

  it("ties each number of ours to its limit", () => {
    const free = source
      .replace(/\s+/g, " ")
      .match(/\d+ (?:dni|minut|godzin|znak|miesi)\p{L}*(?: \p{L}+){0,2}/gu);
    expect((free ?? []).filter((figure) => !FOREIGN.some((known) => figure.startsWith(known)))).toEqual([]);
  });

  it("says in its PDF what its source says (node scripts/print-documents.mjs)", () => {
    const { code, output } = inspect(
      "pdftotext",
      readFileSync(join(ROOT, `public/documents/${name}.pdf`)),
      (path) => [path, "-"],
    );
    expect(code).toBe(0);
    const body = /<body[^>]*>([\s\S]*)<\/body>/.exec(source)?.[1] ?? "";
    const figures = (text: string) => text.match(/\d+/g) ?? [];
    const written = body.replace(/<!--.*?-->/gs, "").replace(/<[^>]+>/g, " ");
    const printed = new Set(figures(output));
    expect(figures(written).filter((figure) => !printed.has(figure))).toEqual([]);
    expect(figures(written).length).toBeGreaterThan(5);
  });
});
