import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { AUDIT_EVENTS } from "~/backend/audit/audit-event.server";
import { writeEvents } from "~/operators/audit.server";

const PAGE = readFileSync(
  fileURLToPath(new URL("../../../docs/operations/siem.md", import.meta.url)),
  "utf8",
);

/** The first two cells of each row in a part of the page, without the table's head. */
function rowsOf(title: string) {
  const [, part = ""] = PAGE.split(`\n## ${title}\n`);
  const [own = ""] = part.split("\n## ");
  return [...own.matchAll(/^\| `([\w-]+)` +\| (.*?) +\|$/gm)].map(([, name, meaning]) => ({ name, meaning }));
}

it("siem.md says of every event of the audit what it means, in the code's order, and of no other", () => {
  const rows = rowsOf("Events");
  expect(rows.map(({ name }) => name)).toEqual(AUDIT_EVENTS);
  for (const { name, meaning } of rows) expect(meaning, name).toMatch(/\w+ \w+ \w+/);
});

it("docs/operations/siem.md says of every field of a line what it means, and of no other", async () => {
  const event = {
    seq: 1,
    id: "1",
    happened_at: 0,
    event: "signed-in",
    account_id: null,
    subject: null,
    purpose: null,
    address: "",
    request_id: "",
    device_name: "",
    operator: null,
    reason: null,
    erased_hash: null,
  };
  const out = new PassThrough();
  await writeEvents([event], "jsonl", out);
  out.end();
  const fields = Object.keys(JSON.parse(await text(out)) as object);
  expect(rowsOf("A line").map(({ name }) => name)).toEqual(fields);
});
