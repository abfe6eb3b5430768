import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KEY_FILE, readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { newCustomer, putCustomers, renewedCustomer } from "~/backend/customers/write-customer.server";
import { putPhone } from "~/backend/customers/phones.server";
import { openColumn, sealColumn } from "~/backend/customers/customers.server";
import type { Store } from "~/backend/store/store.server";
import { findCustomers, MOST_FOUND } from "~/backend/support/find-customers.server";
import { rewrapKeys } from "~/backend/secrets/rewrap-keys.server";
import { metricsRegistry } from "~/platform/telemetry/metrics.server";
import { onAnyDatabase } from "../../../database";
import { ANNA, KRYSTYNA } from "../../../demo-customers";
import { ACT, BY_EWA } from "../../../operator-command";
import { openTestBackend } from "../../backend/test-backend";
import { openStoreBeside } from "../../backend/test-place";
import { accountIdOf, bySupport, openHelpDesk, type HelpDesk } from "./help-desk";

const EMAIL = "anna.nowak@poczta.example";

onAnyDatabase((kind) => {
  describe("account find", () => {
    let desk: HelpDesk;
    let store: Store;
    beforeEach(async () => {
      desk = await openHelpDesk(kind);
      store = await openStoreBeside(desk.way.place);
    });
    afterEach(async () => {
      await store.close();
      await desk.way.close();
    });

    const keyring = () => readOrMakeKeyFile(join(desk.way.dataDir, KEY_FILE), true);
    const find = async (by: string, value: string) => {
      const { code, stdout, stderr } = await desk.run(["find", `--${by}`, "-", ...ACT, "--json"], value);
      expect([code, stderr]).toEqual([0, ""]);
      return (JSON.parse(stdout) as { customers: { account: string | null; customer: string }[] }).customers;
    };
    const accounts = async (by: string, value: string) =>
      (await find(by, value)).map(({ account }) => account);
    const looks = async () => {
      const text = await metricsRegistry().getSingleMetricAsString("portal_operator_looks");
      return Number(text.split(" ").at(-1));
    };

    it("finds a customer by the whole name, phone or e-mail, however it is spelled, and by no part", async () => {
      const anna = [await accountIdOf(desk.way)];
      for (const [by, spellings] of Object.entries({
        name: ["Anna Nowak", " nowak   ANNA ", "A\u0301nna Nowak"],
        phone: [
          ANNA.phone,
          "500 100 001",
          "0048 500-100-001",
          "(+48) 500100001",
          "48500100001",
          "0500100001",
          "500/100/001",
          "tel:+48-500-100-001",
          "\u202A+48 500 100 001\u202C",
          "+48 (0) 500 100 001",
        ],
        email: [EMAIL, ` ${EMAIL.toUpperCase()}`],
      }))
        for (const spelling of spellings) expect(await accounts(by, spelling), spelling).toEqual(anna);
      for (const [by, part] of [
        ["name", "Nowak"],
        ["phone", "100001"],
        ["email", "anna.nowak"],
      ] as const)
        expect(await accounts(by, part), part).toEqual([]);
      // Without a Polish keyboard.
      expect(await accounts("name", "Krystyna Wojcik")).toEqual([null]);
    });

    it("shows name, birth year and policies, and what to call the customer by next", async () => {
      const [krystyna, ...others] = await find("name", KRYSTYNA.name);
      expect([krystyna, others]).toMatchObject([
        { account: null, name: "Krystyna Wójcik", customerKind: "individual", birthYear: 1972 },
        [],
      ]);
      const id = krystyna?.customer ?? "";
      const shown = await desk.run(["show", "--customer", id, ...ACT, "--json"]);
      expect(JSON.parse(shown.stdout)).toMatchObject({ account: null, phone: "••• ••• 001" });
    });

    it("audits each look with the operator, and tells a metric how many one operator had in an hour", async () => {
      const before = await looks();
      await find("phone", ANNA.phone);
      await find("phone", "+48500999999");
      await desk.does("show");
      await desk.run(["find", "--name", "-", "--operator", "jan", "--reason", "x"], ANNA.name);
      const account = await accountIdOf(desk.way);
      expect(
        await desk.way.query(
          "select event, account_id, operator from audit_events where operator is not null order by seq",
        ),
      ).toEqual([
        { event: "customer-found", account_id: account, operator: BY_EWA.operator },
        { event: "customer-sought", account_id: null, operator: BY_EWA.operator },
        { event: "account-shown", account_id: account, operator: BY_EWA.operator },
        { event: "customer-found", account_id: account, operator: "jan" },
      ]);
      expect([before, await looks()]).toEqual([0, 3]);
      // The commands have a clock that runs.
      desk.way.advance(2 * 3_600_000);
      expect(await looks()).toBe(0);
    });

    it("shows none of many: a common name tells no customer", async () => {
      const many = Array.from({ length: MOST_FOUND + 1 }, (_, nth) =>
        newCustomer(keyring(), {
          kind: "no-id",
          name: "Jan Kowal",
          phone: "+48500777001",
          pid: `ABC ${nth}`,
        }),
      );
      await store.write((tx) => putCustomers(tx, many));
      const { stdout } = await desk.run(["find", "--name", "-", ...ACT], "Jan Kowal");
      expect(stdout).toMatch(/^kind: too-many\nnotes:\n {2}- More than 20 customers: ask for the phone/);
      expect(await desk.acts()).toMatchObject([{ event: "customer-sought" }]);
    });

    it("[S84] finds them under an older key, and under the new one alone after rewrap-keys", async () => {
      const [version] = keyring().versions;
      const first = { version: Number(version), key: randomBytes(32) };
      const second = { version: Number(version) + 1, key: randomBytes(32) };
      const place = await openTestBackend({ kind, keyring: makeKeyring([first]) });
      const beside = await openStoreBeside(place.place);
      const sought = { by: "name", value: ANNA.name } as const;
      const found = (...keys: [typeof first, ...(typeof first)[]]) =>
        findCustomers(
          { store: beside, keyring: makeKeyring(keys), clock: () => desk.now },
          bySupport(),
          sought,
        );
      const anna = { kind: "found", customers: [{ customerKind: "individual" }] };
      expect(await found(second, first)).toMatchObject(anna);
      await rewrapKeys(beside, makeKeyring([second, first]));
      expect(await found(second)).toMatchObject(anna);
      await beside.close();
      await place.close();
    });

    it("finds by a number that waits", async () => {
      const [row] = await desk.way.query("select * from customers where name_index is not null limit 1");
      const id = String(row?.["id"]);
      const phone_sealed = String(row?.["phone_sealed"]);
      const plan = {
        phone_sealed,
        new_phone_from: desk.now + 1,
        isChanged: true,
        isDelayed: true,
        new_phone_sealed: sealColumn(keyring(), id, "new_phone_sealed", "+48500888001"),
      };
      await store.write((tx) => putPhone(tx, keyring(), id, plan));
      expect((await find("phone", "500888001")).map(({ customer }) => customer)).toEqual([id]);
    });

    it("finds by a name and an address that an import has changed, and no longer by those of before", async () => {
      const [row] = await store.read
        .selectFrom("customers")
        .selectAll()
        .where("name_index", "is not", null)
        .execute();
      if (row === undefined) throw new Error("there is no customer");
      const changed = { name: "Zofia Zmieniona", email: "zofia@zmieniona.example" };
      const was = openColumn(keyring(), row.id, "name_sealed", row.name_sealed);
      const renewed = renewedCustomer(keyring(), row, { ...changed, kind: row.kind, pid: "" });
      await store.write((tx) => putCustomers(tx, renewed ? [renewed.row] : []));
      for (const by of ["name", "email"] as const)
        expect((await find(by, changed[by])).map(({ customer }) => customer)).toEqual([row.id]);
      expect((await find("name", was)).map(({ customer }) => customer)).not.toContain(row.id);
    });
  });
});
