import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RequestOptions } from "~/contract/factors.server";
import { defaultLimits } from "~/platform/config/limits";
import { type Answer, Browser, outcomeOf } from "../../../contract/browser";
import { type DatabaseKind, onAnyDatabase, onRacingDatabase } from "../../../database";
import { ANNA, PIOTR, type RegisteredCustomer } from "../../../demo-customers";
import { bodyOf, proofBySms, withPassword } from "../../../factor-steps";
import { type Bent, PasskeyDevice } from "../../../passkey-device";
import { fifty, openTestBackend, type TestBackend, type TestOptions } from "../test-backend";
import { recordStatements } from "../store/recorded-statements";
import {
  addPasskeyOf,
  ask,
  confirm,
  CONFIRM,
  FACTORS,
  factorsOf,
  INIT,
  OFFERED,
  ORIGIN,
} from "./passkey-steps";

const MINUTE = 60_000;
/** Flags of a device that didn't ask who uses it. */
const UNVERIFIED = 0x01;

const sessionIn = ({ setCookies }: Answer) => setCookies.filter((line) => line.startsWith("__Host-session="));

let way: TestBackend;
let owner: Browser;

async function open(options: TestOptions = {}): Promise<void> {
  way = await openTestBackend({
    limits: defaultLimits("production"),
    factors: OFFERED,
    publicOrigin: ORIGIN,
    ...options,
  });
  owner = new Browser(way);
  await owner.signIn(ANNA);
  way.advance(MINUTE);
}

function useBackend(kind: DatabaseKind): void {
  beforeEach(() => open({ kind }));
  afterEach(async () => {
    vi.restoreAllMocks();
    await way.close();
  });
}

const add = (device = new PasskeyDevice(ORIGIN), browser = owner, customer: RegisteredCustomer = ANNA) =>
  addPasskeyOf(way, { device, browser, customer });

/** A browser of nobody, and what any passkey was asked in it. */
async function asked() {
  const browser = new Browser(way);
  return { browser, options: await ask(browser) };
}

const isActive = async (browser: Browser) => (await browser.post("/home/api/user/init")).status === 200;

const audited = async () =>
  (await way.query("select event, account_id, reason from audit_events order by id")).map(
    ({ event, account_id: account, reason }) => [event, account !== null, reason],
  );

const WRONG: Readonly<Record<string, Bent>> = {
  "another origin": { origin: "https://portal.example.evil.example" },
  "another relying party": { rpId: "evil.example" },
  "another type": { type: "webauthn.create" },
  "nobody present": { flags: 0 },
  "nobody verified": { flags: UNVERIFIED },
  "somebody else's handle": { userHandle: Buffer.alloc(32, 7).toString("base64url") },
  "no handle": { userHandle: null },
};

onAnyDatabase((kind) => {
  describe("signing in by passkey", () => {
    useBackend(kind);

    it("[S162] asks any passkey, names none, and wants to know who uses it", async () => {
      const { options } = await asked();
      expect(options).toEqual({
        challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
        rpId: "portal.example",
        timeout: 5 * MINUTE,
        allowCredentials: [],
        userVerification: "required",
      });
    });

    describe("refuses a passkey that the account doesn't have, and tells its device", () => {
      const tried = async (device: PasskeyDevice) => {
        const { browser, options } = await asked();
        return (await confirm(browser, device.answer(options))).body;
      };
      const restored = () =>
        way.query(
          "insert into audit_events (id, happened_at, event, address, request_id, device_name) values ('r', 1, 'database-restored', '', '', '')",
        );
      const takenAway = (id: string) => way.query(`delete from passkeys where id = '${id}'`);

      it("that it is unknown, if it never was here, or was removed, also before a restore", async () => {
        const never = new PasskeyDevice(ORIGIN);
        const { device, id } = await add();
        const stranger = await add(never);
        await takenAway(stranger.id);
        expect(await tried(never)).toEqual({ errorCode: "007", unknown: true });
        const proof = await proofBySms(way, owner, ANNA);
        bodyOf(await owner.put(`${FACTORS}/remove`, { ...proof, id }));
        await restored();
        expect(await tried(device)).toEqual({ errorCode: "007", unknown: true });
      });

      it("nothing more, if a restore may have taken it away, or if it is there and answers wrongly", async () => {
        const { device, id } = await add();
        const { browser, options } = await asked();
        const wrong = await confirm(browser, device.answer(options, { flags: UNVERIFIED }));
        expect(wrong.body).toEqual({ errorCode: "007" });
        await takenAway(id);
        await restored();
        expect(await tried(device)).toEqual({ errorCode: "007" });
      });
    });

    it("[S162] opens an active session without password and code, and the browser is known from then on", async () => {
      const { device, id } = await add();
      const { browser, options } = await asked();
      bodyOf(await confirm(browser, device.answer(options)));
      expect(await isActive(browser)).toBe(true);
      expect(await audited()).toContainEqual(["signed-in", true, "passkey"]);
      const { factors } = await factorsOf(browser);
      expect(factors).toEqual([expect.objectContaining({ id, lastUsedAt: expect.any(String) as string })]);
      const { events } = bodyOf(await browser.get("/cp/api/activity"));
      expect(events[0]).toMatchObject({ event: "signed-in" });
      expect(await way.query("select device_name from sessions order by created_at desc limit 1")).toEqual([
        { device_name: "Firefox, Linux" },
      ]);
      expect(await way.query("select count(*) as known from known_browsers")).toEqual([{ known: 2 }]);
      expect(browser.cookies.get("__Host-browser")).toBeDefined();
      const next = await withPassword(way, ANNA);
      expect(bodyOf(await next.askForCode())).toMatchObject({ method: "passkey" });
    });

    it("[S162] refuses whatever is wrong as 007, uses the challenge up, and opens nothing", async () => {
      const { device } = await add();
      for (const [what, bent] of Object.entries(WRONG)) {
        const { browser, options } = await asked();
        expect([what, outcomeOf(await confirm(browser, device.answer(options, bent)))]).toEqual([
          what,
          "007",
        ]);
        expect([what, outcomeOf(await confirm(browser, device.answer(options)))]).toEqual([what, "010"]);
        expect([what, await isActive(browser)]).toEqual([what, false]);
      }
      const piotr = new Browser(way);
      await piotr.signIn(PIOTR);
      const theirs = await add(new PasskeyDevice(ORIGIN), piotr, PIOTR);
      const { browser, options } = await asked();
      const mixed = { ...device.answer(options), id: theirs.device.id, rawId: theirs.device.id };
      expect(outcomeOf(await confirm(browser, mixed))).toBe("007");
    });

    it("[S163] refuses an unknown passkey like a known one with a wrong signature: words and statements", async () => {
      const { device } = await add();
      const unknown = new PasskeyDevice(ORIGIN);
      unknown.make((await add(new PasskeyDevice(ORIGIN))).options);
      const seen = [];
      for (const one of [device, unknown]) {
        const { browser, options } = await asked();
        const right = one.answer(options);
        const signature = device.answer({ ...options, challenge: "another challenge" }).response.signature;
        const verify = vi.spyOn(globalThis.crypto.subtle, "verify");
        const statements = recordStatements();
        const { status, body } = await confirm(browser, {
          ...right,
          response: { ...right.response, signature },
        });
        seen.push({ status, body, statements: statements(), signatures: verify.mock.calls.length });
        verify.mockRestore();
      }
      expect(seen[0]).toMatchObject({ status: 400, body: { errorCode: "007" }, signatures: 1 });
      expect(seen[0]?.statements.length).toBeGreaterThan(3);
      expect(seen[1]).toEqual({ ...seen[0], body: { errorCode: "007", unknown: true } });
    });

    it("[S162] a challenge works in its own browser, for five minutes", async () => {
      const { device } = await add();
      const { browser, options } = await asked();
      const other = await asked();
      expect(outcomeOf(await confirm(other.browser, device.answer(options)))).toBe("010");
      way.advance(5 * MINUTE);
      expect(outcomeOf(await confirm(browser, device.answer(options)))).toBe("010");
      expect(outcomeOf(await confirm(browser, device.answer({ ...options, challenge: "never asked" })))).toBe(
        "010",
      );
      bodyOf(await confirm(browser, device.answer(await ask(browser))));
    });

    it("[S162] three challenges of a browser are alive; a fourth ends the oldest, a used one first", async () => {
      const { device } = await add();
      const browser = new Browser(way);
      const all: RequestOptions[] = [];
      for (let nth = 0; nth < 4; nth += 1) {
        all.push(await ask(browser));
        way.advance(1000);
      }
      const [first, second, third, fourth] = all.map((options) =>
        device.answer(options, { flags: UNVERIFIED }),
      );
      expect(outcomeOf(await confirm(browser, first))).toBe("010");
      expect(outcomeOf(await confirm(browser, third))).toBe("007");
      await ask(browser);
      expect(outcomeOf(await confirm(browser, second))).toBe("007");
      expect(outcomeOf(await confirm(browser, fourth))).toBe("007");
    });

    it.each([
      ["locked", "106"],
      ["expired", "105"],
      ["disabled", "108"],
    ])("[S163] tells that staff have %s the account after a right answer only", async (state, code) => {
      const { device } = await add();
      await way.change("update accounts set state = ? where username = ?", state, ANNA.username);
      const { browser, options } = await asked();
      expect(outcomeOf(await confirm(browser, device.answer(options, { flags: UNVERIFIED })))).toBe("007");
      const right = device.answer(await ask(browser));
      expect(outcomeOf(await confirm(browser, right))).toBe(code);
      expect(outcomeOf(await confirm(browser, right))).toBe(code);
      expect(await isActive(browser)).toBe(false);
      expect(await audited()).toContainEqual(["sign-in-refused-by-state", true, null]);
    });

    it("[S107] opens the account while wrong passwords lock it, and lifts nothing for those who guess", async () => {
      const { device } = await add();
      const stranger = new Browser(way);
      for (let nth = 0; nth < 5; nth += 1) await stranger.login({ ...ANNA, password: "Zle-Haslo-2026!" });
      expect(outcomeOf(await stranger.login(ANNA))).toBe("106");
      const { browser, options } = await asked();
      bodyOf(await confirm(browser, device.answer(options)));
      expect(await isActive(browser)).toBe(true);
      expect(outcomeOf(await stranger.login(ANNA))).toBe("106");
    });

    it("satisfies a reset of the password: codes by SMS confirm sign-ins again", async () => {
      const { device } = await add();
      await way.change("update factor_settings set reset_at = 1");
      const before = await withPassword(way, ANNA);
      expect(bodyOf(await before.askForCode())).toHaveProperty("methods", ["passkey", "recovery"]);
      const { browser, options } = await asked();
      bodyOf(await confirm(browser, device.answer(options)));
      expect(bodyOf(await before.askForCode())).toHaveProperty("methods", ["passkey", "recovery", "sms"]);
    });

    it("is no proof for a change: that asks as before", async () => {
      const { device, id } = await add();
      const { browser, options } = await asked();
      bodyOf(await confirm(browser, device.answer(options)));
      expect((await browser.put(`${FACTORS}/remove`, { id })).status).toBe(422);
      expect(
        outcomeOf(
          await browser.put(`${FACTORS}/remove`, { id, method: "passkey", response: device.answer(options) }),
        ),
      ).toBe("007");
    });

    it("is refused while somebody is signed in; a session that waits for its code is replaced", async () => {
      const { device } = await add();
      expect((await owner.post(INIT)).status).toBe(409);
      expect((await owner.post(CONFIRM, { response: device.answer((await asked()).options) })).status).toBe(
        409,
      );
      const pending = await withPassword(way, PIOTR);
      bodyOf(await confirm(pending, device.answer(await ask(pending))));
      expect(bodyOf(await pending.get("/home/api/user/info"))).toMatchObject({ username: ANNA.username });
    });

    it("is not there where it is switched off, or where browsers have no passkeys", async () => {
      for (const factors of [
        { ...OFFERED, passkeysSignIn: false },
        { ...OFFERED, origin: "http://192.0.2.1" },
      ]) {
        await way.close();
        await open({ kind, factors, publicOrigin: undefined });
        for (const browser of [new Browser(way), owner])
          for (const path of [INIT, CONFIRM]) expect((await browser.post(path)).status).toBe(404);
      }
    });

    it("works with existing passkeys where none can be added any more", async () => {
      const { device } = await add();
      const { place } = way;
      await way.backend.close();
      way = await openTestBackend({ place, factors: { ...OFFERED, offered: [] }, publicOrigin: ORIGIN });
      const { browser, options } = await asked();
      bodyOf(await confirm(browser, device.answer(options)));
    });

    it("[S162] a removed passkey signs nobody in", async () => {
      const { device, id } = await add();
      const { browser, options } = await asked();
      bodyOf(await owner.put(`${FACTORS}/remove`, { id, ...(await proofBySms(way, owner, ANNA)) }));
      expect(outcomeOf(await confirm(browser, device.answer(options)))).toBe("007");
    });

    it("[S110] questions are limited per address; a known browser has its own number", async () => {
      const most = defaultLimits("production").ADDRESS_SIGN_INS_PER_10_MINUTES;
      const known = new Browser(way);
      await known.signIn(PIOTR);
      await known.delete("/home/api/session");
      for (let nth = 0; nth < most; nth += 1) await ask(new Browser(way));
      expect((await new Browser(way).post(INIT)).status).toBe(429);
      expect((await known.post(INIT)).status).toBe(200);
      way.advance(10 * MINUTE);
      expect((await new Browser(way).post(INIT)).status).toBe(200);
    });

    it("422 for what is no answer uses nothing up", async () => {
      const { device } = await add();
      const { browser, options } = await asked();
      const right = device.answer(options);
      const room = 8192 - JSON.stringify({ ...right, more: "" }).length;
      for (const response of [undefined, "x", {}, { ...right, more: "x".repeat(room + 1) }])
        expect((await confirm(browser, response)).status).toBe(422);
      expect((await browser.post(CONFIRM, { response: right, deviceName: "x".repeat(1000) })).status).toBe(
        422,
      );
      bodyOf(await browser.post(CONFIRM, { response: { ...right, more: "x".repeat(room) } }));
    });
  });
});

onRacingDatabase((kind) => {
  describe("signing in by passkey at once", () => {
    useBackend(kind);

    it("[S162] of fifty questions at once three can be answered", async () => {
      await way.close();
      await open({ kind, limits: { ...defaultLimits("production"), ADDRESS_SIGN_INS_PER_10_MINUTES: 100 } });
      const { device } = await add();
      const browser = new Browser(way);
      const all = [await ask(browser), ...(await fifty(() => ask(browser.twin())))];
      const answered = [];
      for (const options of all)
        answered.push(outcomeOf(await confirm(browser, device.answer(options, { flags: UNVERIFIED }))));
      expect(answered.filter((code) => code === "007")).toHaveLength(3);
      expect(answered.filter((code) => code === "010")).toHaveLength(48);
    });

    it("[S162] of fifty equal answers at once all get the same session", async () => {
      const { device } = await add();
      const { browser, options } = await asked();
      const right = device.answer(options);
      const answers = await fifty(() => confirm(browser.twin(), right));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
      expect(new Set(answers.flatMap(sessionIn))).toHaveProperty("size", 1);
      way.advance(9000);
      expect((await confirm(browser.twin(), right)).status).toBe(200);
      way.advance(1000);
      expect(outcomeOf(await confirm(browser.twin(), right))).toBe("010");
    });

    it("[S162] of fifty different answers to one challenge at once one signs in", async () => {
      const { device } = await add();
      const { browser, options } = await asked();
      const answers = await fifty(() => confirm(browser.twin(), device.answer(options)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(new Set(answers.map(outcomeOf))).toEqual(new Set([200, "010"]));
    });
  });
});
