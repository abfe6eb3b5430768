import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KEY_FILE, readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { fillCustomers, isAnyUnfilled } from "~/backend/services/accounts/compared-forms.server";
import type { Store } from "~/backend/store/store.server";
import { until } from "../../browsers/until";
import { Browser, messagesTo } from "../../contract/browser";
import { register } from "../../contract/register";
import { onEachDatabase } from "../../database";
import { KRYSTYNA } from "../../demo-customers";
import { runCommand } from "../../operator-command";
import { makeTablesUpTo, withoutComparedForms } from "../backend/release-before";
import { openTestBackend, type TestBackend } from "../backend/test-backend";
import { barePlace, migratePlace, openStoreBeside, variablesOf, type Place } from "../backend/test-place";

const RELEASE_BEFORE = "0007-audit-seals";

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
        {
          ...{ ...customers[0], pid_compared_index: null, new_phone_sealed: null, new_phone_from: null },
          ...{ name_index: null, phone_index: null, new_phone_index: null, email_index: null },
        },
      ]);
    });

    it("is preceded by --check, which prints the numbers that become equal, and prints them afterwards", async () => {
      const check = (...words: string[]) => runCommand(variablesOf(place), ["migrate", "--check", ...words]);
      const equal = [
        ["POL 1/2", "POL-1/2"],
        ["ABC-D", "AB\u2013C D"],
      ];
      const lines = equal.map((group) => `Found by the exact spelling alone: ${group.join(", ")}\n`);
      expect(await check()).toEqual({
        code: 1,
        stdout: [
          "Missing: 0008-compared-numbers, 0009-factors, 0010-take-back, 0011-announcements, 0012-messages, 0013-new-phones, 0014-passkeys, 0015-mail-queue, 0016-factor-guesses, 0017-recovery-kept, 0018-watched-jobs, 0019-find-indexes, 0021-one-queue\n",
          "A release that knows no migration after 0007-audit-seals can still serve after these\n",
          ...lines,
        ].join(""),
        stderr: "",
      });
      await migratePlace(place);
      expect(await check()).toEqual({
        code: 0,
        stdout: ["The tables are up to date\n", ...lines].join(""),
        stderr: "",
      });
      expect(JSON.parse((await check("--json")).stdout)).toEqual({
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
      await withoutComparedForms(way.place);
      store = await openStoreBeside(way.place);
    });
    afterEach(async () => {
      await store.close();
      await way.close();
    });
    const keyringOf = () => readOrMakeKeyFile(join(way.dataDir, KEY_FILE), true);
    const ask = (policyNo: string, pid: string) =>
      new Browser(way).post("/home/api/user/register/init", { policyNo, pid });
    const doctor = async () => {
      const { stdout } = await runCommand(variablesOf(way.place), ["doctor", "--json"]);
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
      expect(await doctor()).toEqual({
        name: "spellings",
        level: "warning",
        text: "found by their exact spelling alone: 99 policyholders and 109 policies until portal rewrap-keys has run",
      });
      const { stdout } = await runCommand(variablesOf(way.place), ["rewrap-keys", "--json"]);
      const none = { policyholders: 0, policies: 0 };
      expect(JSON.parse(stdout)).toMatchObject({ exactOnly: { unfilled: none, equal: none } });
      expect(await doctor()).toMatchObject({ level: "ok" });
      await way.change(
        "update policies set policy_no = 'POL 110001', policy_no_compared = 'POL110001' where policy_no = 'POL-110002'",
      );
      await way.change(
        `update customers set pid_compared_index = (select max(pid_compared_index) from customers where kind = 'no-id'
          and id <> (select customer_id from policies where policy_no = 'POL-300001'))
        where id = (select customer_id from policies where policy_no = 'POL-300001') or kind = 'company'`,
      );
      const text =
        "found by their exact spelling alone: 2 policyholders and 2 policies because they differ only in spaces and hyphens (portal migrate --check lists the policies)";
      expect(await doctor()).toEqual({ name: "spellings", level: "warning", text });
      expect((await runCommand(variablesOf(way.place), ["rewrap-keys"])).stdout).toContain(
        `Spellings: ${text}\n`,
      );
    });
  });
});
