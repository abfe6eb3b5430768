import { describe, expect, it } from "vitest";
import { BodyTooLong, readUpTo } from "~/platform/files/read-up-to.server";

/** Pieces of ten bytes, and how many were taken. */
function endless() {
  const taken = { pieces: 0 };
  const pieces = (function* () {
    for (;;) {
      taken.pieces += 1;
      yield new Uint8Array(10);
    }
  })();
  return { taken, pieces };
}

describe("[S63] reading a body", () => {
  it("stops at its limit, whatever the head said", async () => {
    const { taken, pieces } = endless();
    await expect(readUpTo(25, pieces)).rejects.toThrow(BodyTooLong);
    expect(taken.pieces).toBe(3);
  });

  it("takes as much as the limit, and nothing from a request without a body", async () => {
    expect(await readUpTo(20, [new Uint8Array(10), new Uint8Array(10)])).toHaveLength(20);
    expect(await readUpTo(20, null)).toHaveLength(0);
  });
});
