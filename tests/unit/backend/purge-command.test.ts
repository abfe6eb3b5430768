import { expect, it } from "vitest";
import { onEachDatabase } from "../../database";
import { ANNA } from "../../demo-customers";
import { Browser } from "../../contract/browser";
import { runCommand } from "../../operator-command";
import { openTestBackend } from "./test-backend";
import { variablesOf } from "./test-place";

/** The test backend's clock is behind this, so that only these rows are current. */
const LATER = Date.UTC(2100, 0, 1);

onEachDatabase((kind) => {
  it("[S91] portal purge deletes what is over, once, while a portal serves, and says how many rows", async () => {
    const way = await openTestBackend({ kind });
    await new Browser(way).signIn(ANNA);
    await way.change("update sessions set ends_at = ?, last_seen_at = ?", LATER, LATER);
    await way.change("update outbox set sent_at = 0");
    const purge = (...words: string[]) => runCommand(variablesOf(way.place), ["purge", ...words]);
    const { code, stdout, stderr } = purge();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^Rows deleted:\n(?:\w+: \d+\n)+$/);
    expect(stdout).toContain("\nsessions: 0\n");
    expect(stdout).toContain("\noutbox: 1\n");
    expect(await way.query("select * from outbox")).toEqual([]);
    expect(await way.query("select id from sessions")).toHaveLength(1);
    expect(JSON.parse(purge("--json").stdout)).toMatchObject({ deleted: { outbox: 0, sessions: 0 } });
    await way.close();
  });

  it("portal purge takes no argument", async () => {
    const way = await openTestBackend({ kind });
    expect(runCommand(variablesOf(way.place), ["purge", "sessions"])).toMatchObject({ code: 2, stdout: "" });
    await way.close();
  });
});
