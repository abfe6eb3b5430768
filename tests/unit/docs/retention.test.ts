import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { formatAs } from "../../../scripts/generate/format";
import { fillRetentionTable } from "../../../scripts/generate/retention-table";

const PATH = fileURLToPath(new URL("../../../docs/operations/retention.md", import.meta.url));
const PAGE = readFileSync(PATH, "utf8");

it("[S91] retention.md has the registry's table and the limits' numbers", async () => {
  expect(await formatAs(PATH, fillRetentionTable(PAGE))).toBe(PAGE);
});
