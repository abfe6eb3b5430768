import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rewrapKeys } from "~/backend/commands/keys/rewrap-keys.server";
import { KEY_FILE, readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { blindIndexes, steadyIndex } from "~/backend/secrets/keyed-hashes.server";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { fillCustomers, isAnyUnfilled } from "~/backend/services/accounts/compared-forms.server";
import type { Store } from "~/backend/store/store.server";
import { until } from "../../browsers/until";
import { Browser, messagesTo } from "../../contract/browser";
import { register } from "../../contract/register";
import { onEachDatabase } from "../../database";
import { COMPANY, KRYSTYNA, OLENA, freshCustomer } from "../../demo-customers";
import { ACT, runCommand } from "../../operator-command";
import { ZOFIA, importing } from "./importing";
import { makeTablesUpTo } from "./release-before";
import { openTestBackend, type TestBackend } from "./test-backend";
import { barePlace, migratePlace, openStoreBeside, variablesOf, type Place } from "./test-place";

const RELEASE_BEFORE = "0007-audit-seals";

/** Leaves the rows as that release would have added them. */
async function emptyAll(place: Place): Promise<void> {
  await place.query("update customers set pid_compared_index = null");
  await place.query("update policies set policy_no_compared = null");
}

const lacking = async (place: Place) => {
  const rows = async (text: string) => Number((await place.query(text))[0]?.["rows"]);
  return {
    policyholders: await rows("select count(*) as rows from customers where pid_compared_index is null"),
    policies: await rows("select count(*) as rows from policies where policy_no_compared is null"),
  };
};

onEachDatabase((kind) => {
  describe("[S127] the migration", () => {
    let place: Place;
    beforeEach(async () => {
      place = await barePlace(kind);
      await makeTablesUpTo(place, RELEASE_BEFORE);
      await place.query(
        `insert into customers (id, kind, name_sealed, phone_sealed, pid_sealed, pid_index)
        values ('zofia', 'individual', '1.name', '1.phone', '1.pid', '1.index')`,
      );
      for (const number of ["POL 1/2", "POL-1/2", "AB\u2013C D", "ABC-D", "ŁÓDŹ-7", "X1", "POL1/3"])
        await place.query(
          `insert into policies (policy_no, customer_id, name, valid_from, valid_to)
          values (?, 'zofia', 'Dom', '2026-01-01', '2026-12-31')`,
          number,
        );
    });

    it("fills what SQL can read of the policy numbers, and changes nothing else", async () => {
      const customers = await place.query("select * from customers");
      await migratePlace(place);
      expect(
        await place.query(
          "select policy_no, policy_no_compared as compared from policies order by policy_no",
        ),
      ).toEqual(
        [
          ["ABC-D", "ABCD"],
          ["AB\u2013C D", null],
          ["POL 1/2", "POL1/2"],
          ["POL-1/2", "POL1/2"],
          ["POL1/3", "POL1/3"],
          ["X1", "X1"],
          ["ŁÓDŹ-7", null],
        ].map(([policy_no, compared]) => ({ policy_no, compared })),
      );
      expect(await place.query("select * from customers")).toEqual([
        { ...customers[0], pid_compared_index: null },
      ]);
    });

    it("is preceded by --check, which prints the numbers that become equal, and prints them afterwards", async () => {
      const check = (...words: string[]) => runCommand(variablesOf(place), ["migrate", "--check", ...words]);
      const equal = [
        ["POL 1/2", "POL-1/2"],
        ["ABC-D", "AB\u2013C D"],
      ];
      const lines = equal.map((group) => `Found by the exact spelling alone: ${group.join(", ")}\n`);
      expect(check()).toEqual({
        code: 1,
        stdout: ["Missing: 0008-compared-numbers\n", ...lines].join(""),
        stderr: "",
      });
      await migratePlace(place);
      expect(check()).toEqual({
        code: 0,
        stdout: ["The tables are up to date\n", ...lines].join(""),
        stderr: "",
      });
      expect(JSON.parse(check("--json").stdout)).toEqual({
        database: true,
        missing: [],
        equalPolicyNos: equal,
      });
    });
  });

  describe("[S127] rows of the release before", () => {
    let way: TestBackend;
    let store: Store;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
      await emptyAll(way.place);
      store = await openStoreBeside(way.place);
    });
    afterEach(async () => {
      await store.close();
      await way.close();
    });
    const keyringOf = () => readOrMakeKeyFile(join(way.dataDir, KEY_FILE), true);
    const ask = (policyNo: string, pid: string) =>
      new Browser(way).post("/home/api/user/register/init", { policyNo, pid });
    const doctor = () => {
      const { stdout } = runCommand(variablesOf(way.place), ["doctor", "--json"]);
      const { checks } = JSON.parse(stdout) as { checks: { name: string; level: string; text: string }[] };
      return checks.find(({ name }) => name === "spellings");
    };

    it("are found by their exact spelling until they are filled", async () => {
      await ask("POL 200001", "720908 11112");
      expect(await messagesTo(way, KRYSTYNA.phone)).toBe(0);
      await ask(" pol-200001", KRYSTYNA.pid);
      expect(await messagesTo(way, KRYSTYNA.phone)).toBe(1);
    });

    it("are filled by the first portal of this release, in the background, while it serves", async () => {
      await way.backend.close();
      way = await openTestBackend({ place: way.place });
      await until("all rows to be filled", async () => !(await isAnyUnfilled(store)));
      expect(await lacking(way.place)).toEqual({ policyholders: 0, policies: 0 });
      expect((await register(way, { ...KRYSTYNA, policyNo: "POL 200001", pid: "720908 11112" })).name).toBe(
        KRYSTYNA.name,
      );
      await until("the log to say so", () =>
        Promise.resolve(way.logged.some((line) => line.includes("numbers-filled"))),
      );
    });

    it("are filled in batches, and a portal that is stopped leaves the rest to the next", async () => {
      const after = await fillCustomers(store, keyringOf(), "");
      expect(after).toBeDefined();
      expect(await lacking(way.place)).toMatchObject({ policyholders: 99 - 50 });
      const [first] = await way.query("select min(id) as id from customers where pid_compared_index is null");
      expect(String(first?.["id"]) > String(after)).toBe(true);
      await way.backend.close();
      way = await openTestBackend({ place: way.place });
      await way.backend.close();
      expect(way.logged.join()).not.toContain("numbers-not-filled");
      way = await openTestBackend({ place: way.place });
      await until("all rows to be filled", async () => !(await isAnyUnfilled(store)));
    });

    it("are filled by rewrap-keys, which says what is found by its exact spelling alone; so does doctor", async () => {
      expect(doctor()).toEqual({
        name: "spellings",
        level: "warning",
        text: "found by their exact spelling alone: 99 policyholders and 109 policies until portal rewrap-keys has run",
      });
      const { stdout } = runCommand(variablesOf(way.place), ["rewrap-keys", "--json"]);
      const none = { policyholders: 0, policies: 0 };
      expect(JSON.parse(stdout)).toMatchObject({ exactOnly: { unfilled: none, equal: none } });
      expect(doctor()).toMatchObject({ level: "ok" });
      await way.change(
        "update policies set policy_no = 'POL 110001', policy_no_compared = 'POL110001' where policy_no = 'POL-110002'",
      );
      await way.change(
        `update customers set pid_compared_index = (select max(pid_compared_index) from customers where kind = 'no-id')
        where id = (select customer_id from policies where policy_no = 'POL-300001') or kind = 'company'`,
      );
      const text =
        "found by their exact spelling alone: 2 policyholders and 2 policies because they differ only in spaces and hyphens (portal migrate --check lists the policies)";
      expect(doctor()).toEqual({ name: "spellings", level: "warning", text });
      expect(runCommand(variablesOf(way.place), ["rewrap-keys"]).stdout).toContain(`Spellings: ${text}\n`);
    });
  });

  describe("[S91, S127] a person", () => {
    it("is erased with what the release before has counted by their details", async () => {
      const way = await openTestBackend({ kind });
      const keyring = readOrMakeKeyFile(join(way.dataDir, KEY_FILE), true);
      const { policyNo, pid } = freshCustomer(8);
      const before = (what: string, ...words: string[]) =>
        steadyIndex(keyring, `typed-${what}`, JSON.stringify(words));
      const hashes = [before("policy", policyNo), before("holder", policyNo, pid)];
      for (const hash of hashes)
        await way.change(
          "insert into windows (bucket, count, ends_at) values (?, 1, 4000000000000)",
          `codes|typed|${hash}|day`,
        );
      // What this release counts by them.
      await new Browser(way).post("/home/api/user/login-remind/init", {
        policyNo: policyNo.replace("-", " "),
      });
      const counted = async () =>
        (await way.query("select bucket from windows where bucket like 'codes|typed|%'")).length;
      expect(await counted()).toBe(4);
      const words = ["--policy-no", policyNo, ...ACT, "--yes", "--json"];
      const { stdout } = runCommand(variablesOf(way.place), ["erase", ...words]);
      expect(JSON.parse(stdout)).toMatchObject({ done: true });
      expect(await counted()).toBe(0);
      await way.close();
    });
  });

  describe("[S127] beside a portal of the release before", () => {
    const { way, imported } = importing(kind);
    const found = async (policyNo: string, pid: string) => {
      const keyring = readOrMakeKeyFile(join(way().dataDir, KEY_FILE), true);
      const indexes = blindIndexes(keyring, "pid", pid);
      // How that release looks numbers up.
      return way().query(
        `select customers.id from policies join customers on customers.id = customer_id
        where policy_no = ? and pid_index in (${indexes.map(() => "?").join(", ")})`,
        ...[policyNo, ...indexes],
      );
    };
    const YEAR = { validFrom: "2026-03-01", validTo: "2027-02-28" };
    const policies = [{ policyNo: "POL-900004", name: "Dom", ...YEAR }];

    it("it finds whom this one has imported, so its own import adds nobody twice", async () => {
      await imported(
        { ...ZOFIA, pid: "920202 12340" },
        { ...ZOFIA, kind: "no-id", pid: "fb 900004", policies },
      );
      expect(await found("POL-900001", ZOFIA.pid)).toHaveLength(1);
      expect(await found("POL-900004", "FB 900004")).toHaveLength(1);
    });

    it("whom it has imported is found by the next import of this one, in any spelling from then on", async () => {
      await imported({ ...ZOFIA, kind: "no-id", pid: "FB 900004", policies });
      await emptyAll(way().place);
      expect((await imported({ ...ZOFIA, kind: "no-id", pid: "FB 900004", policies })).counts.unchanged).toBe(
        1,
      );
      const { name } = await register(way(), { ...ZOFIA, policyNo: "POL 900004", pid: "fb900004" });
      expect(name).toBe(ZOFIA.name);
    });
  });
});

const FIRST = { version: 1, key: randomBytes(32) };
const SECOND = { version: 2, key: randomBytes(32) };

onEachDatabase((kind) => {
  describe("[S84, S127] a new key", () => {
    it("moves both indexes, and finds other spellings before and after", async () => {
      const old = await openTestBackend({ kind, keyring: makeKeyring([FIRST]) });
      await old.backend.close();
      const keyring = makeKeyring([SECOND, FIRST]);
      const way = await openTestBackend({ keyring, place: old.place });
      const store = await openStoreBeside(way.place);
      expect((await register(way, { ...KRYSTYNA, pid: "720908 11112" })).name).toBe(KRYSTYNA.name);
      await way.change("update customers set pid_compared_index = null where kind = 'company'");
      expect((await rewrapKeys(store, keyring)).exactOnly.unfilled.policyholders).toBe(0);
      const indexes = await way.query("select pid_index, pid_compared_index from customers");
      for (const index of indexes.flatMap((row) => Object.values(row))) expect(index).toMatch(/^2\./);
      expect((await register(way, { ...OLENA, pid: "FB 123456" })).name).toBe(OLENA.name);
      expect((await register(way, { ...COMPANY, pid: "951-234-56-75" })).name).toBe(COMPANY.name);
      await store.close();
      await way.close();
    });

    it("that the release before has moved to leaves the second index to this one", async () => {
      const way = await openTestBackend({ kind, keyring: makeKeyring([SECOND]) });
      const store = await openStoreBeside(way.place);
      await way.change(
        "update customers set pid_compared_index = '1.' || substr(pid_compared_index, 3) where kind = 'no-id'",
      );
      const one = freshCustomer(7);
      const spaced = { ...one, pid: one.pid.replace("TEST", "TEST ") };
      const ask = () => new Browser(way).post("/home/api/user/register/init", spaced);
      await ask();
      expect(await messagesTo(way, one.phone)).toBe(0);
      await rewrapKeys(store, makeKeyring([SECOND]));
      await ask();
      expect(await messagesTo(way, one.phone)).toBe(1);
      await store.close();
      await way.close();
    });
  });
});
