import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runCommand } from "~/backend/commands/program.server";

const PAGE = readFileSync(
  fileURLToPath(new URL("../../../docs/operations/commands.md", import.meta.url)),
  "utf8",
);

/** The commands that the program's help lists. */
async function commandNames(): Promise<string[]> {
  const printed: string[] = [];
  const print = (text: string) => printed.push(text);
  await runCommand(["--help"], { print, printError: print, out: new PassThrough() });
  const [, list = ""] = printed.join("\n").split("\nCommands:\n");
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
}

it("docs/operations/commands.md has a section with an example for every command, and for no other", async () => {
  const sections = [...PAGE.matchAll(/^### portal ([a-z-]+)\n\n {4}node build\/portal \1\b/gm)];
  const documented = sections.map(([, name = ""]) => name);
  const names = await commandNames();
  expect(names).toContain("import");
  expect(documented.toSorted()).toEqual(names.toSorted());
});
