import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeKeyring, type RootKey } from "~/backend/secrets/keyring.server";
import { Browser, latestCode, wrongCode } from "../../../contract/browser";
import { register } from "../../../contract/register";
import type { Way } from "../../../contract/way";
import { ANNA, KRYSTYNA, PIOTR } from "../../../demo-customers";
import { DOWN, TestGateway, turnsUntil } from "../messages/sms-sender-harness";
import { NOON, openTestBackend, type TestBackend } from "../test-backend";

const FIRST: RootKey = { version: 1, key: randomBytes(32) };
const SECOND: RootKey = { version: 2, key: randomBytes(32) };

describe("[S84] a new key", () => {
  let portal: TestBackend;
  /** The portal that is running now, across restarts with other keys. */
  const way: Way = {
    fetch: (path, init) => portal.fetch(path, init),
    outbox: () => portal.outbox(),
    close: () => portal.close(),
  };
  beforeEach(async () => {
    portal = await openTestBackend({ keyring: makeKeyring([FIRST]) });
  });
  afterEach(() => way.close());

  async function restartWith(...keys: [RootKey, ...RootKey[]]): Promise<void> {
    await portal.backend.close();
    portal = await openTestBackend({ keyring: makeKeyring(keys), dataDir: portal.dataDir });
  }

  it("signs nobody out: sessions and trusted devices stay", async () => {
    const browser = new Browser(way);
    await browser.signIn(ANNA, "Y");
    await restartWith(SECOND, FIRST);
    expect((await browser.get("/cp/api/policies")).status).toBe(200);
    await browser.post("/home/api/auth/logout");
    await browser.login(ANNA);
    expect((await browser.post("/home/api/user/init")).status).toBe(200);
  });

  it("keeps codes under way valid, and answers a doubled confirm like the first", async () => {
    const browser = new Browser(way);
    await browser.login(ANNA);
    await browser.askForCode();
    await restartWith(SECOND, FIRST);
    const code = await latestCode(way, ANNA.phone);
    expect((await browser.confirm(wrongCode(code))).status).toBe(400);
    const twin = browser.twin();
    expect((await browser.confirm(code)).status).toBe(200);
    await restartWith(SECOND, FIRST);
    expect((await twin.confirm(code)).status).toBe(200);
  });

  it("[S32] delivers a message queued under the old key, and its code works", async () => {
    const { dataDir } = portal;
    await portal.backend.close();
    const sms = new TestGateway();
    sms.does = () => Promise.resolve(DOWN);
    portal = await openTestBackend({ dataDir, sms, keyring: makeKeyring([FIRST]) });
    const browser = new Browser(way);
    await browser.login(ANNA);
    await browser.askForCode();
    await turnsUntil(() => sms.offered.length > 0);
    await portal.backend.close();

    const upAgain = new TestGateway();
    const keyring = makeKeyring([SECOND, FIRST]);
    portal = await openTestBackend({ dataDir, sms: upAgain, keyring, clock: () => NOON + 60_000 });
    await turnsUntil(() => upAgain.offered.length > 0);
    expect(upAgain.offered).toEqual(sms.offered);
    const code = /#(\d+)$/.exec(upAgain.offered[0]?.text ?? "")?.[1] ?? "";
    expect((await browser.confirm(code)).status).toBe(200);
  });

  it("still finds policyholders by number and identifier, and decrypts older data", async () => {
    await restartWith(SECOND, FIRST);
    expect((await register(way, KRYSTYNA)).name).toBe(KRYSTYNA.name);
    await new Browser(way).signIn(PIOTR);
  });

  it("[S17] lifts no lock, and restarts no count", async () => {
    const browser = new Browser(way);
    for (let nth = 0; nth < 4; nth += 1) await browser.login({ ...ANNA, password: "Nie-To-Haslo-1" });
    await restartWith(FIRST, SECOND);
    await browser.login({ ...ANNA, password: "Nie-To-Haslo-1" });
    expect((await browser.login(ANNA)).body).toMatchObject({ errorCode: "106" });
    await restartWith(SECOND, FIRST);
    expect((await browser.login(ANNA)).body).toMatchObject({ errorCode: "106" });
  });

  it("is refused at startup if it replaces a key that rows still need, or reuses another key's number", async () => {
    await restartWith(SECOND, FIRST);
    const { dataDir } = portal;
    await portal.backend.close();
    const start = (...keys: [RootKey, ...RootKey[]]) =>
      openTestBackend({ dataDir, keyring: makeKeyring(keys) });
    await expect(start(FIRST)).rejects.toThrow("needs key version 2, which is missing from the keys");
    await expect(start(SECOND)).rejects.toThrow("needs key version 1, which is missing from the keys");
    const other = { version: 1, key: randomBytes(32) };
    await expect(start(SECOND, other)).rejects.toThrow("the keys do not belong to this database");
    portal = await start(FIRST, SECOND);
  });
});
