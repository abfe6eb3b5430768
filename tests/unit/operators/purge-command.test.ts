import { expect, it } from "vitest";
import { onAnyDatabase } from "../../database";
import { until } from "../../browsers/until";
import { ANNA } from "../../demo-customers";
import { Browser } from "../../contract/browser";
import { ACT, runCommand, startCommand } from "../../operator-command";
import { NOON, openTestBackend } from "../backend/test-backend";
import { variablesOf } from "../backend/test-place";

/** No clock has come this far: neither the command's nor the test backend's. */
const LATER = Date.UTC(2100, 0, 1);
/** Ten years, in ms. */
const LONG_AGO = NOON - Date.UTC(2016, 10, 20, 12);

onAnyDatabase((kind) => {
  it("[S91] portal purge deletes what has expired, once, while a portal serves, and says how many rows", async () => {
    const way = await openTestBackend({ kind });
    await new Browser(way).signIn(ANNA);
    await way.change("update sessions set ends_at = ?, last_seen_at = ?", LATER, LATER);
    const purge = (...words: string[]) => runCommand(variablesOf(way.place), ["purge", ...words]);
    // The message is a week old by the command's clock, and new by the portal's, which purges when it starts.
    const { code, stdout, stderr } = await purge();
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^deleted:\n(?: {2}\w+: \d+\n)+archived: none\n$/);
    expect(stdout).toContain("\n  sessions: 0\n");
    expect(stdout).toContain("\n  outbox: 1\n");
    expect(await way.query("select * from outbox")).toEqual([]);
    expect(await way.query("select id from sessions")).toHaveLength(1);
    expect(JSON.parse((await purge("--json")).stdout)).toMatchObject({ deleted: { outbox: 0, sessions: 0 } });
    await way.close();
  });

  it("[S91] portal purge archives old months of the audit, and portal audit reads them there", async () => {
    const way = await openTestBackend({ kind });
    await new Browser(way).signIn(ANNA);
    await way.change("update audit_events set happened_at = happened_at - ?", LONG_AGO);
    const run = (...words: string[]) => runCommand(variablesOf(way.place), words);
    expect((await run("purge")).stdout).toContain("archived:\n  - 2016-11\n");
    expect(await way.query("select id from audit_events")).toEqual([]);
    const archived = await run("audit", ...ACT, "--archives", "--event", "signed-in");
    expect(archived).toMatchObject({ code: 0, stdout: expect.stringMatching(/^2016-11-/) as string });
    expect((await run("audit", ...ACT)).stderr).toBe(
      "portal: older events are in archives (2016-11 and before): add --archives\n",
    );
    expect((await run("audit", "--verify")).code).toBe(0);
    await way.close();
  });

  it("[S91] portal purge --every goes on, purges what has expired by then, and ends when asked to", async () => {
    const way = await openTestBackend({ kind });
    const messages = async () => (await way.query("select id from outbox")).length;
    const purging = startCommand(variablesOf(way.place), ["purge", "--every", "1"]);
    for (let round = 1; round <= 2; round += 1) {
      await new Browser(way).signIn(ANNA);
      await way.change("update outbox set sent_at = 0");
      await until("the message to be purged", async () => (await messages()) === 0);
    }
    purging.kill("SIGTERM");
    expect(await purging.ended).toMatchObject({ code: 0, stderr: "" });
    await way.close();
  });
});
