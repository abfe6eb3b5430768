import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { runCommand } from "~/operators/program.server";

const PAGE = readFileSync(
  fileURLToPath(new URL("../../../docs/operations/commands.md", import.meta.url)),
  "utf8",
);

/** The commands that the program's help lists. */
async function commandNames(): Promise<string[]> {
  const printed: string[] = [];
  const print = (text: string) => printed.push(text);
  const streams = { input: new PassThrough(), out: new PassThrough() };
  await runCommand(["--help"], { ...streams, print, printError: print }, {});
  const [, list = ""] = printed.join("\n").split("\nCommands:\n");
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help");
}

it("docs/operations/commands.md has an example of every command, and of no other", async () => {
  const examples = PAGE.matchAll(/^ {4}(?:npm run portal --|node build\/portal|portal) ([a-z][a-z-]+)/gm);
  const shown = new Set([...examples].map(([, name = ""]) => name));
  const names = await commandNames();
  expect(names).toContain("import");
  expect([...shown].toSorted()).toEqual(names.toSorted());
});
