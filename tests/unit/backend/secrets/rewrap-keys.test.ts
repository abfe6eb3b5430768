import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, it } from "vitest";
import { countByVersion, rewrapKeys } from "~/backend/secrets/rewrap-keys.server";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { openSqliteStore } from "~/backend/store/sqlite-store.server";
import { purge } from "~/backend/jobs/upkeep.server";
import { defaultLimits } from "~/platform/config/limits";
import { DAY } from "~/platform/time.server";
import { Browser } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, PIOTR } from "../../../demo-customers";
import { CALLS } from "~/contract/calls.server";
import { addPasskey, atLocalhost } from "../../../passkey-device";
import { addApp, appCode, bodyOf, confirmBy, withPassword } from "../../../factor-steps";
import { withStore } from "../../operators/person-steps";
import { NOON, openTestBackend } from "../test-backend";

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
    premiums: 7,
    "passwords not used since then": 6,
  });
  const [unmoved] = await way.query("select id, email_sealed from customers where email_sealed is not null");
  const [unmovedPremium] = await way.query(
    "select premium_sealed from policies where policy_no = ?",
    PIOTR.policyNo,
  );
  const first = await rewrapKeys(store, keyring);
  expect(first).toMatchObject({ customers: 99, documentPasswords: 1, documents: 9, premiums: 7 });
  expect(Object.fromEntries(first.left.get(1) ?? [])).toEqual({ "passwords not used since then": 6 });
  expect((await new Browser(way).login(ANNA)).status).toBe(200);
  const second = await rewrapKeys(store, keyring);
  expect(second).toMatchObject({ customers: 0, documentPasswords: 0, documents: 0, premiums: 0 });
  expect(Object.fromEntries(second.left.get(1) ?? [])).toEqual({ "passwords not used since then": 5 });

  // An e-mail address alone needs its key, too.
  await way.change(
    "update customers set email_sealed = ? where id = ?",
    unmoved?.["email_sealed"],
    unmoved?.["id"],
  );
  expect((await countByVersion(store, keyring)).get(1)?.get("policyholders")).toBe(1);
  expect((await rewrapKeys(store, keyring)).customers).toBe(1);

  // A premium that was left behind at a policy with another id needs no key any more.
  await way.change(
    "update policies set id = 'moved', premium_sealed = ? where policy_no = ?",
    unmovedPremium?.["premium_sealed"],
    PIOTR.policyNo,
  );
  expect((await rewrapKeys(store, keyring)).left.get(1)?.has("premiums")).toBe(false);

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
  expect((await browser.get("/cp/api/policies")).body).toMatchObject({
    policies: [
      { premium: { amount: "129.00" } },
      { premium: { amount: "412.50" } },
      { premium: { amount: "86.40" } },
    ],
  });
  const [terms] = await without.query(
    "select id, bytes from documents where policy_no = ? and kind = 'terms'",
    ANNA.policyNo,
  );
  const file = await browser.fetch("GET", `/cp/api/documents/${String(terms?.["id"])}`);
  expect((await file.arrayBuffer()).byteLength).toBe(terms?.["bytes"]);
  await without.close();
});

onAnyDatabase((kind) => {
  it("[S84] an app, a passkey and a recovery code move to a new key, and work without the old one", async () => {
    const old = await openTestBackend({ kind, keyring: makeKeyring([FIRST]) });
    const owner = new Browser(old);
    await owner.signIn(ANNA);
    const app = await addApp(old, owner, ANNA, NOON);
    const { device } = await addPasskey(old, owner, ANNA, "Telefon");
    await old.backend.close();
    const { place } = old;
    const keyring = makeKeyring([SECOND, FIRST]);
    const way = await openTestBackend({ place, keyring });
    await new Browser(way).login(ANNA);

    const moved = await withStore(way, (store) => rewrapKeys(store, keyring));
    expect(moved.factors).toBe(3);
    const left = moved.left.get(1);
    expect(left?.get("factors being added")).toBe(2);
    for (const what of ["second factors", "passkeys", "recovery codes"])
      expect(left?.has(what), what).toBe(false);
    // The remaining rows expire, and the other customers sign in some day.
    await withStore(way, (store) => purge(store, defaultLimits("demo"), NOON + 2 * DAY));
    await way.change("update accounts set pepper_version = 2");
    const last = await withStore(way, (store) => rewrapKeys(store, keyring));
    expect([last.factors, last.left.size]).toEqual([0, 0]);
    await way.backend.close();

    const without = await openTestBackend({ place, keyring: makeKeyring([SECOND]) });
    bodyOf(await confirmBy(await withPassword(without, ANNA), "app", appCode(app, NOON)));
    const { recoveryCode = "" } = app;
    bodyOf(await confirmBy(await withPassword(without, ANNA), "recovery", recoveryCode));
    const local = await withPassword(atLocalhost(without), ANNA);
    const { options } = CALLS.activateSessionInit.response.parse(
      (await local.askForCode({ method: "passkey" })).body,
    );
    if (!options) throw new Error("no options for a passkey");
    const confirm = {
      method: "passkey",
      response: device.answer(options),
      trustDevice: "N",
      deviceName: "x",
    };
    bodyOf(await local.post("/home/api/user/activate-session/confirm", confirm));
    await without.close();
  });
});
