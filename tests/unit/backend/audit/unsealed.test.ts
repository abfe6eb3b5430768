import { expect, it } from "vitest";
import { onAnyDatabase } from "../../../database";
import { NOON } from "../test-backend";
import { openSealedAudit, waitedForSeal } from "../../operators/audit/sealed-audit";

const SECOND = 1000;

onAnyDatabase((kind) => {
  it("[S95] the metrics say how long the oldest event has waited for its seal", async () => {
    const { way, write, seal } = await openSealedAudit(kind, 1);
    expect(await waitedForSeal()).toBe(0);
    await write(1, { at: NOON + 5 * SECOND });
    await write(1, { at: NOON + 50 * SECOND });
    way.advance(65 * SECOND);
    expect(await waitedForSeal()).toBe(60);
    await seal();
    expect(await waitedForSeal()).toBe(0);
  });

  it("[S95] an event from a clock that is ahead has not waited", async () => {
    const { write } = await openSealedAudit(kind);
    await write(1, { at: NOON + SECOND });
    expect(await waitedForSeal()).toBe(0);
  });

  it("[S95] a database that does not answer leaves the wait unknown", async () => {
    const { way } = await openSealedAudit(kind);
    await way.backend.close();
    expect(await waitedForSeal()).toBeNaN();
  });
});
