import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, ROOT)), "utf8");

const PAGE = read("docs/decisions/dependencies.md");
const VERSIONS = z.record(z.string(), z.string());
const MANIFEST = z
  .object({ dependencies: VERSIONS, overrides: VERSIONS })
  .parse(JSON.parse(read("package.json")));
const VERDICTS = z
  .array(z.object({ id: z.string(), package: z.string(), reason: z.string(), until: z.iso.date() }).strict())
  .parse(JSON.parse(read("scripts/advisories/verdicts.json")));

/** The rows of a section's table, each as its cells. */
function table(heading: string): readonly (readonly string[])[] {
  const section = PAGE.split("\n## ").find((text) => text.startsWith(`${heading}\n`)) ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("every package that runs has a row, with its use, its keeper and a substitute, and no other has", () => {
  const rows = table("What runs");
  expect(rows.map(([name = ""]) => name.replaceAll("`", "")).toSorted()).toEqual(
    Object.keys(MANIFEST.dependencies).toSorted(),
  );
  for (const row of rows)
    expect(
      row.filter((cell) => cell !== ""),
      row[0],
    ).toHaveLength(4);
});

test("what overrides moves stands in the page", () => {
  for (const [name, version] of Object.entries(MANIFEST.overrides)) {
    const reason = PAGE.split("\n- ").find((item) => item.startsWith("**`overrides`")) ?? "";
    expect(reason.includes(name) || reason.includes("React Router"), name).toBe(true);
    if (name !== "rollup") expect(reason, name).toContain(version);
  }
});

test("[S159] the page says of each fault with a verdict that it runs, and of no other", () => {
  const running = table("Advisories met here").filter(([, , meaning = ""]) => meaning.startsWith("**runs"));
  const named = running.map(
    ([id = "", name = ""]) => `${id.split(" ")[0] ?? ""} ${/`([^`]+)`/.exec(name)?.[1] ?? ""}`,
  );
  expect(named.toSorted()).toEqual(VERDICTS.map(({ id, package: name }) => `${id} ${name}`).toSorted());
});
