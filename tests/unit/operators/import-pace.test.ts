import { describe, expect, it, vi } from "vitest";
import { ALONE, BESIDE_PORTALS, paceBeside } from "~/backend/import/policyholder-batches.server";
import { isPortalServing } from "~/backend/store/serving-portals.server";
import { onAnyDatabase } from "../../database";
import { importing, linesOf, pdfOf, TERMS, ZOFIA, zofiaWith } from "./importing";
import { openTestBackend } from "../backend/test-backend";
import { openStoreAt, openStoreBeside, type Place } from "../backend/test-place";

describe("the pace of an import", () => {
  it("is slow as long as portals serve, and looks again every second", async () => {
    const clock = { now: 0 };
    let isServing = true;
    let looks = 0;
    const paceNow = paceBeside(
      () => {
        looks += 1;
        return Promise.resolve(isServing);
      },
      () => clock.now,
    );
    expect(await paceNow()).toBe(BESIDE_PORTALS);
    isServing = false;
    clock.now = 999;
    expect([await paceNow(), looks]).toEqual([BESIDE_PORTALS, 1]);
    clock.now = 1000;
    expect([await paceNow(), looks]).toEqual([ALONE, 2]);
    isServing = true;
    clock.now = 2000;
    expect(await paceNow()).toBe(BESIDE_PORTALS);
  });
});

describe("beside portals, an import", () => {
  const { importedAt, checks, put, store, rows } = importing("sqlite");

  it("pauses after each transaction, and checks the next line's document meanwhile", async () => {
    put("terms.pdf", pdfOf("terms"));
    const lines = [1, 2].map((nth) => ({
      ...ZOFIA,
      pid: `9202021234${nth}`,
      policies: [{ ...zofiaWith(TERMS).policies[0], policyNo: `POL-90000${nth}` }],
    }));
    const before = await rows();
    const stop = new AbortController();
    // The pause takes minutes, unless the import is stopped.
    const pace = { ...BESIDE_PORTALS, most: { ...BESIDE_PORTALS.most, rows: 1 }, rest: 1e4 };
    const running = importedAt(pace, store(), linesOf(lines), stop.signal);
    await expect.poll(checks).toBe(2);
    stop.abort();
    expect((await running).counts.new).toBe(1);
    // A policyholder, a policy, a document and its part.
    expect(await rows()).toHaveLength(before.length + 4);
  });
});

onAnyDatabase((kind) => {
  it("a command sees whether a portal serves from its database, and is not taken for one", async () => {
    const way = await openTestBackend({ kind });
    const { place } = way;
    const command = await openStoreBeside(asCommand(place));
    try {
      expect(await isPortalServing(command.read, place.dataDir)).toBe(true);
      await way.backend.close();
      // PostgreSQL notices a moment later that a connection has ended.
      await vi.waitFor(async () => expect(await isPortalServing(command.read, place.dataDir)).toBe(false));
      const portal = await openStoreAt(place);
      expect(await isPortalServing(command.read, place.dataDir)).toBe(true);
      await portal.close();
    } finally {
      await command.close();
      await way.close();
    }
  });
});

function asCommand(place: Place): Place {
  const { database } = place;
  return database.kind === "postgres"
    ? { ...place, database: { ...database, connectionName: "portal command" } }
    : place;
}
