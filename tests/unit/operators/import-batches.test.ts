import { describe, expect, it } from "vitest";
import { ALONE, BESIDE_PORTALS } from "~/backend/import/policyholder-batches.server";
import { type Pace } from "~/backend/import/policyholder-batches.server";
import { onRacingDatabase } from "../../database";
import { ZOFIA, importing, linesOf } from "./importing";

const YEAR = { validFrom: "2026-03-01", validTo: "2027-02-28" };
const dom = (policyNo: string) => ({ policyNo, name: "Dom", ...YEAR });

/** A policyholder with one policy; the number identifies both. */
const person = (nth: number) => ({
  ...ZOFIA,
  pid: String(92_020_300_000 + nth),
  policies: [dom(`POL-91${nth}`)],
});

const moved = (nth: number) => ({ ...person(nth), phone: "+48500900009" });
/** Another person with the same number, since the kind differs. */
const namesake = { ...ZOFIA, kind: "no-id", pid: person(3).pid, policies: [dom("POL-9199")] };

/** Every kind of line, with the same people and policies appearing several times. */
const MIXED = [
  person(1),
  person(2),
  moved(2),
  person(3),
  namesake,
  { ...person(4), policies: [dom("POL-911")] },
  { ...person(5), policies: [dom("POL-915"), dom("POL-100001")] },
  "Zofia Mazur",
  "",
  undefined,
  person(2),
  person(1),
  { ...person(3), policies: [{ ...dom("POL-913"), name: "Dom i garaż" }, dom("POL-9133")] },
  person(6),
];
const RESULT = {
  counts: { new: 5, changed: 3, unchanged: 1, refused: 4 },
  complaints: [
    "line 6: policies.0: expected a policy that belongs to no other policyholder",
    "line 7: policies.1: expected a policy that belongs to no other policyholder",
    "line 8: not JSON",
    "line 10: expected a line of at most 1 MB",
  ],
  lastLine: 14,
};
const POLICIES = [
  ["POL-911", "Dom"],
  ["POL-912", "Dom"],
  ["POL-913", "Dom i garaż"],
  ["POL-9133", "Dom"],
  ["POL-916", "Dom"],
  ["POL-9199", "Dom"],
].map(([policyNo, name]) => ({ policyNo, name, product: "other" }));

onRacingDatabase((kind) => {
  describe("an import", () => {
    const { importedAt, store, way, rows } = importing(kind);
    const policies = () =>
      way().query(
        'select policy_no as "policyNo", name, product from policies where policy_no like ? order by policy_no',
        "POL-91%",
      );

    it.each<[string, Pace]>([
      ["with nobody else there", ALONE],
      ["beside portals", BESIDE_PORTALS],
      ["line by line", { ...ALONE, most: { ...ALONE.most, rows: 1 } }],
    ])("does the same to new, changed, doubled and refused lines: %s", async (_how, pace) => {
      const before = await rows();
      expect(await importedAt(pace, store(), linesOf(MIXED))).toMatchObject(RESULT);
      expect(await policies()).toEqual(POLICIES);
      // Five people with six policies.
      expect(await rows()).toHaveLength(before.length + 11);
      const after = await rows();
      expect(await importedAt(pace, store(), linesOf([person(1), person(2), namesake]))).toMatchObject({
        counts: { new: 0, changed: 0, unchanged: 3, refused: 0 },
      });
      expect(await rows()).toEqual(after);
    });

    it("that is stopped keeps the transaction under way, and can be run again", async () => {
      const stop = new AbortController();
      const people = Array.from({ length: 40 }, (_, nth) => person(nth + 10));
      const stopping = async function* () {
        for await (const line of linesOf(people)) {
          yield line;
          // The first sixteen are a transaction.
          if (line === JSON.stringify(people[17])) stop.abort();
        }
      };
      const first = await importedAt(BESIDE_PORTALS, store(), stopping(), stop.signal);
      expect(first).toMatchObject({ counts: { new: 16, refused: 0 }, lastLine: 16 });
      expect(await policies()).toHaveLength(16);
      expect((await importedAt(BESIDE_PORTALS, store(), linesOf(people))).counts).toMatchObject({
        new: 24,
        unchanged: 16,
      });
    });
  });
});
