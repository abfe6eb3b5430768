import { beforeEach, describe, expect, it } from "vitest";
import { onEachDatabase } from "../../database";
import { makeTablesUpTo } from "./release-before";
import { barePlace, migratePlace, type Place } from "./test-place";

onEachDatabase((kind) => {
  describe("a database of the last release without documents", () => {
    let place: Place;
    beforeEach(async () => {
      place = await barePlace(kind);
      await makeTablesUpTo(place, "0004-known-browsers");
      await place.query(
        `insert into customers (id, kind, name_sealed, phone_sealed, pid_sealed, pid_index)
        values ('zofia', 'individual', '1.name', '1.phone', '1.pid', '1.index')`,
      );
      for (let nth = 0; nth < 50; nth += 1) await addAsBefore(`POL-${nth}`);
      await migratePlace(place);
    });

    /** The statement of that release, which may still run beside this one. */
    const addAsBefore = (policyNo: string) =>
      place.query(
        `insert into policies (policy_no, customer_id, name, valid_from, valid_to)
        values (?, 'zofia', 'Dom', '2026-01-01', '2026-12-31')
        on conflict (policy_no) do update set name = excluded.name`,
        policyNo,
      );
    const policies = () => place.query("select * from policies order by policy_no");

    it("gets an id for each policy that says nothing about it, and a product; nothing else changes", async () => {
      const rows = await policies();
      expect(rows).toHaveLength(50);
      expect(rows.every(({ id }) => /^[0-9a-f-]{32,36}$/.test(String(id)))).toBe(true);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(50);
      expect(rows.every(({ product }) => product === "other")).toBe(true);
      expect(rows[0]).toMatchObject({ policy_no: "POL-0", name: "Dom", valid_to: "2026-12-31" });
      expect(await place.query("select name_sealed, email_sealed from customers")).toEqual([
        { name_sealed: "1.name", email_sealed: null },
      ]);
    });

    it("still takes policies from that release: a new one gets an id, a known one keeps its own", async () => {
      const before = await policies();
      await addAsBefore("POL-900");
      await addAsBefore("POL-0");
      const after = await policies();
      const added = after.filter(({ policy_no }) => policy_no === "POL-900");
      expect(added).toMatchObject([
        { product: "other", id: expect.stringMatching(/^[0-9a-f-]{32,36}$/) as string },
      ]);
      expect(after.filter((row) => !added.includes(row))).toEqual(before);
    });

    it("refuses two policies with the same id", async () => {
      const same = async () => place.query("update policies set id = 'same'");
      await expect(same()).rejects.toThrow(/unique/i);
    });
  });
});
