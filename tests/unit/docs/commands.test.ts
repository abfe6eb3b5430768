import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { fillCommandList } from "../../../scripts/generate/command-list";
import { formatAs } from "../../../scripts/generate/format";
import { commandNames } from "../../command-names";

const PATH = fileURLToPath(new URL("../../../docs/operations/commands.md", import.meta.url));
const PAGE = readFileSync(PATH, "utf8");

it("docs/operations/commands.md lists the commands as their help has them (`npm run configuration-docs`)", async () => {
  expect(await formatAs(PATH, fillCommandList(PAGE))).toBe(PAGE);
});

it("it lists every command, and each on an account", async () => {
  const listed = new Set([...PAGE.matchAll(/^\| `([a-z][a-z -]+)` /gm)].map(([, name = ""]) => name));
  const groups = new Map([...listed].map((name) => [name.split(" ")[0] ?? "", name]));
  expect([...groups.keys()].toSorted()).toEqual((await commandNames()).toSorted());
  expect([...listed]).toEqual(
    expect.arrayContaining((await commandNames("account")).map((name) => `account ${name}`)),
  );
});
