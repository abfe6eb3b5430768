import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { type Keyring, makeKeyring } from "~/backend/secrets/keyring.server";
import type { Store } from "~/backend/store/store.server";
import { archiveMonths } from "~/backend/audit/archive-months.server";
import { eraseEvents } from "~/backend/audit/erase-events.server";
import { rewrapArchives, rewrapErased, rewrapSeals } from "~/backend/audit/rewrap-audit.server";
import { onAnyDatabase } from "../../../database";
import { NOON } from "../../backend/test-backend";
import { openSealedAudit } from "./sealed-audit";

async function rewrapAudit(store: Store, keyring: Keyring): Promise<number> {
  const [seals, archives] = [await rewrapSeals(store, keyring), await rewrapArchives(store, keyring)];
  return seals + archives + (await rewrapErased(store, keyring));
}

onAnyDatabase((kind) => {
  it("[S84] once moved to a new key, the audit verifies with that key alone; forgeries are not moved", async () => {
    const [first, second] = [1, 2].map((version) => ({ version, key: randomBytes(32) }));
    if (!first || !second) throw new Error("there are two");
    const [before, both, after] = [makeKeyring([first]), makeKeyring([second, first]), makeKeyring([second])];
    const { way, store, folder, write, seal, verify } = await openSealedAudit(kind);
    await way.change("delete from audit_events");
    await write(3, { at: Date.UTC(2024, 2, 1) });
    await write(2);
    await seal(before);
    await write(2);
    await seal(before);
    await store.write((tx) => eraseEvents(tx, before, { accountId: "anna", subjects: [] }, []));
    await archiveMonths(store, before, { folder, keepMonths: 24, now: NOON });
    expect((await verify(after)).findings.length).toBeGreaterThan(0);
    await way.change("update audit_seals set events = 9 where no = 2");
    expect(await rewrapAudit(store, both)).toBe(1 + 1 + 4);
    await way.change("update audit_seals set events = 2 where no = 2");
    expect((await verify(after)).findings).toEqual([expect.stringMatching(/^seal 2 /)]);
    expect(await rewrapAudit(store, both)).toBe(1);
    expect((await verify(after)).findings).toEqual([]);
    expect(await rewrapAudit(store, both)).toBe(0);
  });
});
