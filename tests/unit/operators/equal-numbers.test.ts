import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { rewrapKeys } from "~/backend/secrets/rewrap-keys.server";
import { register } from "../../contract/register";
import { onAnyDatabase } from "../../database";
import { COMPANY, KRYSTYNA, OLENA } from "../../demo-customers";
import { runCommand } from "../../operator-command";
import { openTestBackend, type TestBackend } from "../backend/test-backend";
import { openStoreBeside, variablesOf } from "../backend/test-place";

onAnyDatabase((kind) => {
  describe("[S127] stored numbers that differ only in spaces and hyphens", () => {
    let way: TestBackend;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
    });
    afterEach(() => way.close());
    const run = (...words: string[]) => runCommand(variablesOf(way.place), words);
    const doctor = async () => {
      const { stdout } = await run("doctor", "--json");
      const { checks } = JSON.parse(stdout) as { checks: { name: string; level: string; text: string }[] };
      return checks.find(({ name }) => name === "spellings");
    };

    it("are counted by doctor and rewrap-keys, and the policies are listed by migrate --check", async () => {
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
      expect(JSON.parse((await run("rewrap-keys", "--json")).stdout)).toMatchObject({
        exactOnly: { equal: { policyholders: 2, policies: 2 } },
      });
      expect((await run("migrate", "--check")).stdout).toContain(
        "\nequalPolicyNos:\n  - - POL 110001\n    - POL-110001\n",
      );
      expect(JSON.parse((await run("migrate", "--check", "--json")).stdout)).toEqual({
        database: true,
        missing: [],
        equalPolicyNos: [["POL 110001", "POL-110001"]],
      });
    });
  });

  it("[S84, S127] a new key moves both indexes, and other spellings are found before and after", async () => {
    const first = { version: 1, key: randomBytes(32) };
    const old = await openTestBackend({ kind, keyring: makeKeyring([first]) });
    await old.backend.close();
    const keyring = makeKeyring([{ version: 2, key: randomBytes(32) }, first]);
    const way = await openTestBackend({ keyring, place: old.place });
    const store = await openStoreBeside(way.place);
    expect((await register(way, { ...KRYSTYNA, pid: "720908 11112" })).name).toBe(KRYSTYNA.name);
    await rewrapKeys(store, keyring);
    const indexes = await way.query("select pid_index, pid_compared_index from customers");
    for (const index of indexes.flatMap((row) => Object.values(row))) expect(index).toMatch(/^2\./);
    expect((await register(way, { ...OLENA, pid: "FB 123456" })).name).toBe(OLENA.name);
    expect((await register(way, { ...COMPANY, pid: "951-234-56-75" })).name).toBe(COMPANY.name);
    await store.close();
    await way.close();
  });
});
