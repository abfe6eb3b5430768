import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { rewrapDocumentPasswords } from "~/backend/commands/rewrap-document-passwords.server";
import { openDocumentPassword } from "~/backend/secrets/document-password.server";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { openSqliteStore } from "~/backend/store/sqlite-store.server";
import { PIOTRS_DOCUMENT_PASSWORD } from "../../demo-customers";
import { openTestBackend, type TestBackend } from "./test-backend";

const FIRST = { version: 1, key: randomBytes(32) };
const SECOND = { version: 2, key: randomBytes(32) };
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

function kept(way: TestBackend) {
  const [row] = way.query(
    "select account_id, key_version, wrapped_key, password_sealed from document_passwords",
  );
  return {
    accountId: String(row?.account_id),
    sealed: {
      keyVersion: Number(row?.key_version),
      wrappedKey: String(row?.wrapped_key),
      sealed: String(row?.password_sealed),
    },
  };
}

it("[S84] document passwords are wrapped with the current key while the portal serves, and open without the old one", async () => {
  const old = await openTestBackend({ keyring: makeKeyring([FIRST]) });
  await old.backend.close();
  const keyring = makeKeyring([SECOND, FIRST]);
  const way = await openTestBackend({ keyring, dataDir: old.dataDir });
  const before = kept(way);

  const store = await openSqliteStore(join(way.dataDir, "portal.db"));
  expect(await rewrapDocumentPasswords(store, keyring)).toBe(1);
  expect(await rewrapDocumentPasswords(store, keyring)).toBe(0);
  await store.close();

  const { accountId, sealed } = kept(way);
  expect(sealed.keyVersion).toBe(2);
  expect(sealed.sealed).toBe(before.sealed.sealed);
  expect(openDocumentPassword(makeKeyring([SECOND]), accountId, sealed)).toBe(PIOTRS_DOCUMENT_PASSWORD);
  expect(() => openDocumentPassword(makeKeyring([SECOND]), accountId, before.sealed)).toThrow("version 1");
  await way.close();
});

it("[S84] the command does it from keys.json, and says in one line when it can't", async () => {
  const way = await openTestBackend();
  const keyFile = join(way.dataDir, "keys.json");
  const { keys } = JSON.parse(readFileSync(keyFile, "utf8")) as { keys: object[] };
  const next = { version: 2, key: SECOND.key.toString("base64") };
  const run = (dataDir: string) => {
    const script = join(ROOT, "scripts/rewrap-document-passwords.mjs");
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
      env: { ...process.env, DATA_DIR: dataDir },
      encoding: "utf8",
    });
    return [status, stdout, stderr];
  };

  writeFileSync(keyFile, JSON.stringify({ keys: [next, ...keys] }));
  expect(run(way.dataDir)).toEqual([0, "Document passwords wrapped with the current key: 1\n", ""]);
  expect(kept(way).sealed.keyVersion).toBe(2);
  writeFileSync(keyFile, JSON.stringify({ keys: [{ version: 3, key: next.key }] }));
  expect(run(way.dataDir)).toEqual([1, "", "portal: the keys do not belong to this database\n"]);
  const nowhere = join(way.dataDir, "nowhere");
  expect(run(nowhere)).toEqual([1, "", `portal: ${nowhere} holds no database\n`]);
  await way.close();
});
