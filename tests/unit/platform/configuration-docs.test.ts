import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { fillConfigurationLists } from "../../../scripts/generate/configuration-tables";
import { formatAs } from "../../../scripts/generate/format";

const PATH = fileURLToPath(new URL("../../../docs/configuration.md", import.meta.url));
const PAGE = readFileSync(PATH, "utf8");

it("docs/configuration.md lists every variable as the schema has it (`npm run configuration-docs`)", async () => {
  expect(await formatAs(PATH, fillConfigurationLists(PAGE))).toBe(PAGE);
});
