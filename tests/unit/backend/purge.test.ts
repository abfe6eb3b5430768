import { expect, it } from "vitest";
import { purge } from "~/backend/purge.server";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, latestCode, wrongCode } from "../../contract/browser";
import { ANNA, PIOTR } from "../../demo-customers";
import { onEachDatabase } from "../../database";
import { NOON, openTestBackend } from "./test-backend";
import { openStoreAt } from "./test-place";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TABLES = ["sessions", "codes", "trusted_devices", "windows", "attempts", "outbox"];

onEachDatabase((kind) => {
  it("[S30, S91] expired rows are deleted at the next start, and no others", async () => {
    const first = await openTestBackend({ kind });
    const browser = new Browser(first);
    await browser.signIn(ANNA, "Y");
    const other = new Browser(first);
    await other.login(PIOTR);
    await other.askForCode();
    await other.confirm(wrongCode(await latestCode(first, PIOTR.phone)));
    await other.login({ ...PIOTR, password: "Nie-To-Haslo-1" });
    await first.backend.close();

    const left = async (later: number) => {
      const store = await openStoreAt(first.place);
      await purge(store, defaultLimits("demo"), NOON + later);
      const counts: number[] = [];
      for (const table of TABLES)
        counts.push(Number((await first.query(`select count(*) as n from ${table}`))[0]?.n));
      await store.close();
      return counts;
    };
    expect(await left(9_000)).toEqual([2, 2, 1, expect.any(Number), 4, 2]);
    expect(await left(10_000)).toEqual([2, 1, 1, expect.any(Number), 4, 2]);
    expect(await left(15 * MINUTE)).toEqual([0, 1, 1, expect.any(Number), 4, 2]);
    expect(await left(DAY + 10 * MINUTE)).toEqual([0, 0, 1, 0, 0, 0]);
    expect(await left(30 * DAY)).toEqual([0, 0, 0, 0, 0, 0]);
  });
});
