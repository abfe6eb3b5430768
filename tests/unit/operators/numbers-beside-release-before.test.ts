import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rewrapKeys } from "~/operators/keys/rewrap-keys.server";
import { KEY_FILE, readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { blindIndex, blindIndexes, makeKeyring, steadyIndex } from "~/backend/secrets/keyring.server";
import { Browser, messagesTo } from "../../contract/browser";
import { register } from "../../contract/register";
import { onEachDatabase } from "../../database";
import { COMPANY, KRYSTYNA, OLENA, freshCustomer } from "../../demo-customers";
import { ACT, runCommand } from "../../operator-command";
import { ZOFIA, importing } from "./importing";
import { withoutComparedForms } from "../backend/release-before";
import { openTestBackend } from "../backend/test-backend";
import { openStoreBeside, variablesOf } from "../backend/test-place";

onEachDatabase((kind) => {
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
      // The windows that this release counts by the same details.
      await new Browser(way).post("/home/api/user/login-remind/init", {
        policyNo: policyNo.replace("-", " "),
      });
      const counted = async () =>
        (await way.query("select bucket from windows where bucket like 'codes|typed|%'")).length;
      expect(await counted()).toBe(4);
      const words = ["--policy-no", policyNo, ...ACT, "--yes", "--json"];
      const { stdout } = await runCommand(variablesOf(way.place), ["erase", ...words]);
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
      // That release's query for looking numbers up.
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
        { ...ZOFIA, pid: "920202 12341" },
        { ...ZOFIA, kind: "no-id", pid: "fb 900004", policies },
      );
      expect(await found("POL-900001", ZOFIA.pid)).toHaveLength(1);
      expect(await found("POL-900004", "FB 900004")).toHaveLength(1);
    });

    it("whom it has imported is found by the next import of this one, in any spelling from then on", async () => {
      await imported({ ...ZOFIA, kind: "no-id", pid: "FB 900004", policies });
      await withoutComparedForms(way().place);
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

    it("that the release before has moved leaves the second index to this one", async () => {
      const keyring = makeKeyring([SECOND]);
      const way = await openTestBackend({ kind, keyring });
      const store = await openStoreBeside(way.place);
      const one = freshCustomer(7);
      const index = (pid: string) => blindIndex(keyring, "pid", pid);
      // Stored with a space, and with the second index under a key that is gone.
      await way.change(
        "update customers set pid_index = ?, pid_compared_index = '1.gone' where pid_index = ?",
        ...[index("TEST 00007"), index(one.pid)],
      );
      const ask = () => new Browser(way).post("/home/api/user/register/init", one);
      await ask();
      expect(await messagesTo(way, one.phone)).toBe(0);
      await rewrapKeys(store, keyring);
      await ask();
      expect(await messagesTo(way, one.phone)).toBe(1);
      await store.close();
      await way.close();
    });
  });
});
