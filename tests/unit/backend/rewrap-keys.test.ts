import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, it } from "vitest";
import { countByVersion, rewrapKeys } from "~/operators/keys/rewrap-keys.server";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { openSqliteStore } from "~/backend/store/sqlite-store.server";
import { Browser } from "../../contract/browser";
import { ANNA, PIOTR } from "../../demo-customers";
import { openTestBackend } from "./test-backend";

const FIRST = { version: 1, key: randomBytes(32) };
const SECOND = { version: 2, key: randomBytes(32) };

it("[S84] data moves to a new key while the portal runs; the old one can go once nothing needs it", async () => {
  const old = await openTestBackend({ keyring: makeKeyring([FIRST]) });
  await old.backend.close();
  const keyring = makeKeyring([SECOND, FIRST]);
  const way = await openTestBackend({ keyring, dataDir: old.dataDir });
  const store = await openSqliteStore(join(way.dataDir, "portal.db"));

  expect(Object.fromEntries((await countByVersion(store, keyring)).get(1) ?? [])).toEqual({
    policyholders: 99,
    "document passwords": 1,
    documents: 9,
    "passwords not used since then": 6,
  });
  const [unmoved] = await way.query("select id, email_sealed from customers where email_sealed is not null");
  const first = await rewrapKeys(store, keyring);
  expect(first).toMatchObject({ customers: 99, documentPasswords: 1, documents: 9 });
  expect(Object.fromEntries(first.left.get(1) ?? [])).toEqual({ "passwords not used since then": 6 });
  expect((await new Browser(way).login(ANNA)).status).toBe(200);
  const second = await rewrapKeys(store, keyring);
  expect(second).toMatchObject({ customers: 0, documentPasswords: 0, documents: 0 });
  expect(Object.fromEntries(second.left.get(1) ?? [])).toEqual({ "passwords not used since then": 5 });

  // An e-mail address alone needs its key, too.
  await way.change(
    "update customers set email_sealed = ? where id = ?",
    unmoved?.["email_sealed"],
    unmoved?.["id"],
  );
  expect((await countByVersion(store, keyring)).get(1)?.get("policyholders")).toBe(1);
  expect((await rewrapKeys(store, keyring)).customers).toBe(1);

  // Too early: customers who have not signed in since could never do so again.
  await way.backend.close();
  const only = { keyring: makeKeyring([SECOND]), dataDir: way.dataDir };
  await expect(openTestBackend(only)).rejects.toThrow("needs key version 1");

  await way.change("delete from accounts where pepper_version = 1 and username <> ?", PIOTR.username);
  await way.change("update accounts set pepper_version = 2 where username = ?", PIOTR.username);
  expect((await rewrapKeys(store, keyring)).left.size).toBe(0);
  await store.close();
  const without = await openTestBackend(only);
  const browser = new Browser(without);
  await browser.signIn(ANNA);
  const [terms] = await without.query(
    "select id, bytes from documents where policy_no = ? and kind = 'terms'",
    ANNA.policyNo,
  );
  const file = await browser.fetch("GET", `/cp/api/documents/${String(terms?.["id"])}`);
  expect((await file.arrayBuffer()).byteLength).toBe(terms?.["bytes"]);
  await without.close();
});
