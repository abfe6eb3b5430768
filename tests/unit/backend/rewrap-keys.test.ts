import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { rewrapKeys } from "~/backend/commands/rewrap-keys.server";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { openSqliteStore } from "~/backend/store/sqlite-store.server";
import { Browser } from "../../contract/browser";
import { ANNA, PIOTR } from "../../demo-customers";
import { openTestBackend } from "./test-backend";

const FIRST = { version: 1, key: randomBytes(32) };
const SECOND = { version: 2, key: randomBytes(32) };
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

it("[S84] brings data under the current key while the portal serves, says what is left, and an old key can go at 0 rows", async () => {
  const old = await openTestBackend({ keyring: makeKeyring([FIRST]) });
  await old.backend.close();
  const keyring = makeKeyring([SECOND, FIRST]);
  const way = await openTestBackend({ keyring, dataDir: old.dataDir });
  const store = await openSqliteStore(join(way.dataDir, "portal.db"));

  const first = await rewrapKeys(store, keyring);
  expect(first).toMatchObject({ customers: 59, documentPasswords: 1 });
  expect(Object.fromEntries(first.left.get(1) ?? [])).toEqual({ "passwords not used since": 6 });
  expect((await new Browser(way).login(ANNA)).status).toBe(200);
  const second = await rewrapKeys(store, keyring);
  expect(second).toMatchObject({ customers: 0, documentPasswords: 0 });
  expect(Object.fromEntries(second.left.get(1) ?? [])).toEqual({ "passwords not used since": 5 });

  // Too early: who has not signed in since could never do so again.
  await way.backend.close();
  const only = { keyring: makeKeyring([SECOND]), dataDir: way.dataDir };
  await expect(openTestBackend(only)).rejects.toThrow("needs the key of version 1");

  await way.change("delete from accounts where pepper_version = 1 and username <> ?", PIOTR.username);
  await way.change("update accounts set pepper_version = 2 where username = ?", PIOTR.username);
  expect((await rewrapKeys(store, keyring)).left.size).toBe(0);
  await store.close();
  const without = await openTestBackend(only);
  expect((await new Browser(without).login(ANNA)).status).toBe(200);
  await without.close();
});

it("[S84] the command takes the portal's variables, and says in one line when it can't", async () => {
  const way = await openTestBackend({ keyring: makeKeyring([FIRST]) });
  const list = (...keys: { version: number; key: Buffer }[]) =>
    keys.map(({ version, key }) => `${version}:${key.toString("base64")}`).join(",");
  const run = (DATA_DIR: string, DATA_KEYS: string) => {
    const script = join(ROOT, "scripts/backend-command.mjs");
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, "rewrap-keys"], {
      env: { ...process.env, DATA_DIR, DATA_KEYS },
      encoding: "utf8",
      cwd: ROOT,
    });
    return [status, stdout, stderr];
  };

  expect(run(way.dataDir, list(SECOND, FIRST))).toEqual([
    0,
    "Now under key 2: 59 policyholders, 1 document passwords\nStill under key 1: 6 passwords not used since\n",
    "",
  ]);
  expect(run(way.dataDir, list(SECOND))).toEqual([
    1,
    "",
    "portal: the database needs the key of version 1, which is not among the keys\n",
  ]);
  const nowhere = join(way.dataDir, "nowhere");
  expect(run(nowhere, list(FIRST))).toEqual([1, "", `portal: ${nowhere} holds no database\n`]);
  await way.close();
});
