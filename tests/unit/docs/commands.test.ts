import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { commandNames } from "../../command-names";

const PAGE = readFileSync(
  fileURLToPath(new URL("../../../docs/operations/commands.md", import.meta.url)),
  "utf8",
);

it("it names each command on an account", async () => {
  const names = await commandNames("account");
  expect(names).toContain("unlock");
  expect(
    names.filter((name) => !new RegExp(`account [\\w|, -]*\\b${name}\\b|\`${name}\``).test(PAGE)),
  ).toEqual([]);
});

it("docs/operations/commands.md has an example of every command, and of no other", async () => {
  const examples = PAGE.matchAll(/^ {4}(?:npm run portal --|node build\/portal|portal) ([a-z][a-z-]+)/gm);
  const shown = new Set([...examples].map(([, name = ""]) => name));
  const names = await commandNames();
  expect(names).toContain("import");
  expect([...shown].toSorted()).toEqual(names.toSorted());
});
