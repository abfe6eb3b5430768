import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it } from "vitest";
import { archiveMonths } from "~/backend/audit/archive-months.server";
import { onRacingDatabase } from "../../../database";
import { openSealedAudit } from "./sealed-audit";

const MONTHS = 9;
const LATER = Date.UTC(2026, 0, 1);

onRacingDatabase((kind) => {
  it("the audit verifies while its months are archived, one after the other", async () => {
    const { way, store, keyring, folder, write, seal, verify } = await openSealedAudit(kind);
    await way.change("delete from audit_events");
    for (let month = 0; month < MONTHS; month += 1) await write(2, { at: Date.UTC(2024, month, 2) });
    await seal();
    const state: { isDone: boolean } = { isDone: false };
    const archiving = archiveMonths(store, keyring, { folder, keepMonths: 1, now: LATER }).finally(() => {
      state.isDone = true;
    });
    const findings: string[] = [];
    while (!state.isDone) {
      findings.push(...(await verify()).findings);
      // On SQLite, verifying would leave archiving no turn.
      await nextTurn();
    }
    expect(await archiving).toHaveLength(MONTHS);
    expect(findings).toEqual([]);
  });
});
