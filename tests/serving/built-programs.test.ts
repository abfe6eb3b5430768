import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { built } from "../built";

/** The files that a built program loads, now or later, its entry first. */
function filesOf(entry: string): readonly string[] {
  const files = [entry];
  for (const file of files)
    for (const [, imported = ""] of readFileSync(file, "utf8").matchAll(
      /(?:from|import)\s*\(?\s*"(\.[^"\s]+\.js)"/g,
    )) {
      const path = join(dirname(file), imported);
      if (!files.includes(path)) files.push(path);
    }
  return files;
}

const withAddress = (entry: string) =>
  filesOf(built("server", entry)).filter((file) => readFileSync(file, "utf8").includes('"/help-desk'));

it("the portal loads no file with an address of the help desk, though one build makes both", () => {
  expect(withAddress("index.js")).toEqual([]);
  expect(withAddress("help-desk.js")).not.toEqual([]);
});
