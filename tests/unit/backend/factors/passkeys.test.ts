import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallResponse } from "~/contract/calls.server";
import type { RequestOptions } from "~/contract/factors.server";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, outcomeOf, fieldsOf } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, PIOTR, type RegisteredCustomer } from "../../../demo-customers";
import { addApp, appCode, bodyOf, proofBySms, withPassword } from "../../../factor-steps";
import { type Bent, PasskeyDevice } from "../../../passkey-device";
import { fifty, openTestBackend, type TestBackend, type TestOptions } from "../test-backend";
import { FACTORS, OFFERED, ORIGIN } from "./passkey-steps";

const MINUTE = 60_000;
const CONFIRM = "/home/api/user/activate-session/confirm";

type Prepared = CallResponse<"passkeyPrepare">;

onAnyDatabase((kind) => {
  describe("passkeys", () => {
    let way: TestBackend;
    let owner: Browser;

    async function open(options: TestOptions = {}): Promise<void> {
      way = await openTestBackend({
        kind,
        limits: defaultLimits("production"),
        factors: OFFERED,
        ...options,
      });
      owner = new Browser(way);
      await owner.signIn(ANNA);
      way.advance(MINUTE);
    }

    beforeEach(() => open());
    afterEach(() => way.close());

    async function prepare(browser = owner, customer: RegisteredCustomer = ANNA): Promise<Prepared> {
      const proof = await proofBySms(way, browser, customer);
      return bodyOf(await browser.put(`${FACTORS}/passkey/prepare`, proof)) as unknown as Prepared;
    }

    const confirm = (id: string, response: unknown, more: object = {}, browser = owner) =>
      browser.put(`${FACTORS}/passkey/confirm`, { id, response, ...more });

    async function add(device = new PasskeyDevice(ORIGIN), browser = owner, customer = ANNA) {
      const { id, options } = await prepare(browser, customer);
      const { recoveryCode } = bodyOf(await confirm(id, device.make(options), {}, browser));
      return { device, id, recoveryCode };
    }

    /** A browser where the password was right, and the options for its passkey. */
    async function asked(customer: RegisteredCustomer = ANNA) {
      const browser = await withPassword(way, customer);
      return { browser, options: await ask(browser) };
    }

    async function ask(browser: Browser): Promise<RequestOptions> {
      const begun = bodyOf(await browser.askForCode({ method: "passkey" })) as unknown as {
        readonly options: RequestOptions;
      };
      return begun.options;
    }

    const signIn = (browser: Browser, response: unknown) =>
      browser.post(CONFIRM, { method: "passkey", response, trustDevice: "N", deviceName: "Firefox, Linux" });

    it("can be added where the portal has a name; the options say what a device needs", async () => {
      expect(bodyOf(await owner.get(FACTORS))).toHaveProperty("offered", ["app", "passkey"]);
      const { options } = await prepare();
      expect(options).toMatchObject({
        rp: { id: "portal.example", name: "Tarnea" },
        user: { name: "anna.nowak" },
        attestation: "none",
        excludeCredentials: [],
        authenticatorSelection: { userVerification: "preferred" },
        timeout: 5 * MINUTE,
      });
      expect(options.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-7, -8, -257]);
      expect(Buffer.from(options.user.id, "base64url")).toHaveLength(32);
    });

    it("take a device that asks for no PIN, and note that it didn't", async () => {
      const { device } = await add(new PasskeyDevice(ORIGIN, { asksForPerson: false }));
      const { browser, options } = await asked();
      bodyOf(await signIn(browser, device.answer(options)));
      expect(await way.query("select user_verified from passkeys")).toEqual([{ user_verified: 0 }]);
      const again = await asked();
      bodyOf(await signIn(again.browser, device.answer(again.options, { flags: 0x05 })));
      expect(await way.query("select user_verified from passkeys")).toEqual([{ user_verified: 1 }]);
    });

    const WRONG: Readonly<Record<string, Bent>> = {
      "another origin": { origin: "https://portal.example.evil.example" },
      "another relying party": { rpId: "evil.example" },
      "another type": { type: "webauthn.create" },
      "somebody else's challenge": { challenge: Buffer.alloc(64, 7).toString("base64url") },
      "nobody present": { flags: 0 },
      "somebody else's handle": { userHandle: Buffer.alloc(32, 7).toString("base64url") },
    };

    it("[S143] refuse an answer for anything else as a wrong code, and use its challenge up", async () => {
      const { device } = await add();
      for (const [what, bent] of Object.entries(WRONG)) {
        const { browser, options } = await asked();
        expect([what, outcomeOf(await signIn(browser, device.answer(options, bent)))]).toEqual([what, "007"]);
        expect([what, outcomeOf(await signIn(browser, device.answer(options)))]).toEqual([what, "010"]);
      }
    });

    it("[S143] refuse a new one for anything else in the same way, and add nothing", async () => {
      for (const [what, bent] of Object.entries(WRONG)) {
        if ("userHandle" in bent) continue;
        const { id, options } = await prepare();
        const device = new PasskeyDevice(ORIGIN);
        const wrong = "type" in bent ? { ...bent, type: "webauthn.get" } : bent;
        expect([what, outcomeOf(await confirm(id, device.make(options, wrong)))]).toEqual([what, "007"]);
        expect([what, outcomeOf(await confirm(id, device.make(options)))]).toEqual([what, "010"]);
        way.advance(MINUTE);
      }
      expect(bodyOf(await owner.get(FACTORS))).toMatchObject({ factors: [], recoveryCode: null });
    });

    it("refuse cut and odd bytes as a wrong code", async () => {
      const { device } = await add();
      const { response, ...rest } = device.answer((await asked()).options);
      const cut = (text: string) => text.slice(0, Math.floor(text.length / 2));
      for (const bent of [
        { clientDataJSON: cut(response.clientDataJSON) },
        { authenticatorData: cut(response.authenticatorData) },
        { signature: cut(response.signature) },
        { signature: "!!" },
        { clientDataJSON: Buffer.from("[]").toString("base64url") },
        { clientDataJSON: Buffer.from("null").toString("base64url") },
      ]) {
        const { browser } = await asked();
        expect(outcomeOf(await signIn(browser, { ...rest, response: { ...response, ...bent } }))).toBe("007");
      }
      way.advance(MINUTE);
      const { id, options } = await prepare();
      const made = new PasskeyDevice(ORIGIN).make(options);
      const attestationObject = cut(made.response.attestationObject);
      expect(
        outcomeOf(await confirm(id, { ...made, response: { ...made.response, attestationObject } })),
      ).toBe("007");
    });

    it("[S144] five wrong answers block every method of the browser, and one right answer counts none", async () => {
      const { device } = await add();
      const { browser } = await asked();
      for (let nth = 0; nth < 4; nth += 1) {
        const wrong = device.answer(await ask(browser), { flags: 0 });
        expect(outcomeOf(await signIn(browser, wrong))).toBe("007");
      }
      expect(outcomeOf(await signIn(browser, device.answer(await ask(browser), { flags: 0 })))).toBe("016");
      const authorizationCode = "AAAA-AAAA-AAAA-AAAA-AAAA-AAAA";
      const recovery = { method: "recovery", authorizationCode, trustDevice: "N", deviceName: "x" };
      expect(outcomeOf(await browser.post(CONFIRM, recovery))).toBe("016");
    });

    it("[S145] a challenge works in its browser, for its account and purpose, for five minutes", async () => {
      const { device } = await add();
      const first = await asked();
      const other = await asked();
      // Drawn in another browser.
      expect(outcomeOf(await signIn(other.browser, device.answer(first.options)))).toBe("007");
      // For another purpose.
      bodyOf(await owner.put(`${FACTORS}/init`, { method: "passkey" }));
      const change = { method: "passkey", response: device.answer(first.options), on: true };
      expect(outcomeOf(await owner.put(`${FACTORS}/sms`, change))).toBe("007");
      way.advance(5 * MINUTE);
      expect(outcomeOf(await signIn(first.browser, device.answer(first.options)))).toBe("010");
      bodyOf(await signIn(first.browser, device.answer(await ask(first.browser))));
    });

    it("[S145] of fifty answers to one challenge at once one opens a session, and its repeats get the same", async () => {
      const { device } = await add();
      const { browser, options } = await asked();
      const right = device.answer(options);
      const same = await fifty(() => signIn(browser.twin(), right));
      const sessions = new Set(same.flatMap(({ status, setCookies }) => (status === 200 ? setCookies : [])));
      expect(same.every(({ status }) => status === 200)).toBe(true);
      expect([...sessions].filter((line) => line.startsWith("session="))).toHaveLength(1);
    });

    it("[S145] of fifty different answers to one challenge at once one is compared", async () => {
      const { device } = await add();
      const { browser, options } = await asked();
      const answers = await fifty(() => signIn(browser.twin(), device.answer(options)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    });

    it("[S146] a counter that runs back is logged, not refused", async () => {
      const { device } = await add();
      for (const counter of [9, 3]) {
        const { browser, options } = await asked();
        bodyOf(await signIn(browser, device.answer(options, { counter })));
      }
      expect(way.logged.filter((line) => line.includes("passkey-counter-back"))).toHaveLength(1);
    });

    it("[S147] a passkey of another account signs nobody in, and can't be added twice", async () => {
      const { device } = await add();
      const piotr = new Browser(way);
      await piotr.signIn(PIOTR);
      const prepared = await prepare(piotr, PIOTR);
      expect(outcomeOf(await confirm(prepared.id, device.make(prepared.options), {}, piotr))).toBe("007");
      way.advance(MINUTE);
      await add(new PasskeyDevice(ORIGIN), piotr, PIOTR);
      const { browser, options } = await asked(PIOTR);
      expect(outcomeOf(await signIn(browser, device.answer(options)))).toBe("007");
    });

    it("[S143] its key works in its own row only", async () => {
      const { device } = await add();
      const piotr = new Browser(way);
      await piotr.signIn(PIOTR);
      const theirs = await add(new PasskeyDevice(ORIGIN), piotr, PIOTR);
      const sealed = `(select public_key_sealed from passkeys where credential_id = '${device.id}')`;
      await way.change(
        `update passkeys set public_key_sealed = ${sealed} where credential_id = '${theirs.device.id}'`,
      );
      const { browser, options } = await asked(PIOTR);
      expect((await signIn(browser, theirs.device.answer(options))).status).toBe(500);
    });

    it("prove a change of factors, once", async () => {
      const { device, id } = await add();
      way.advance(MINUTE);
      const { options } = bodyOf(await owner.put(`${FACTORS}/init`, { method: "passkey" })) as unknown as {
        readonly options: RequestOptions;
      };
      const proof = { method: "passkey", response: device.answer(options) };
      expect(fieldsOf(await owner.put(`${FACTORS}/remove`, { ...proof, id: "not-mine" }))).toEqual(["id"]);
      expect(fieldsOf(await owner.put(`${FACTORS}/remove`, { method: "passkey", id }))).toEqual(["response"]);
      const both = await Promise.all(
        [1, 2].map(() => owner.twin().put(`${FACTORS}/remove`, { ...proof, id })),
      );
      expect(both.map(({ status }) => status)).toEqual([200, 200]);
      expect(bodyOf(await owner.get(FACTORS))).toMatchObject({ factors: [], recoveryCode: null });
      const browser = await withPassword(way, ANNA);
      expect(bodyOf(await browser.askForCode())).not.toHaveProperty("methods");
    });

    it("are added once, however often the confirm is repeated, with the same recovery code", async () => {
      const { id, options } = await prepare();
      const response = new PasskeyDevice(ORIGIN).make(options);
      const answers = await fifty(() => confirm(id, response, { name: "Telefon" }, owner.twin()));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body)))).toHaveProperty("size", 1);
      expect(bodyOf(await owner.get(FACTORS)).factors).toEqual([
        expect.objectContaining({ name: "Telefon" }),
      ]);
    });

    it("name the ones that there are, so that a device isn't added twice, under one handle", async () => {
      const { device } = await add();
      const [{ user_handle: handle } = {}] = await way.query("select user_handle from passkeys");
      way.advance(MINUTE);
      const { options } = await prepare();
      expect(options.excludeCredentials?.map(({ id }) => id)).toEqual([device.id]);
      expect(options.user.id).toBe(handle);
    });

    it("stand beside an app: the one last used comes first, and removing one leaves the other", async () => {
      const app = await addApp(way, owner, ANNA, way.now());
      way.advance(MINUTE);
      const { id } = await add();
      way.advance(MINUTE);
      const browser = await withPassword(way, ANNA);
      expect(bodyOf(await browser.askForCode())).toHaveProperty("methods", [
        "passkey",
        "app",
        "recovery",
        "sms",
      ]);
      const proof = { method: "app", authorizationCode: appCode(app, way.now()) };
      bodyOf(await owner.put(`${FACTORS}/remove`, { ...proof, id }));
      expect(bodyOf(await owner.get(FACTORS)).factors).toHaveLength(1);
      const gone = { method: "passkey", response: {}, trustDevice: "N", deviceName: "x" };
      expect(fieldsOf(await browser.post(CONFIRM, gone))).toEqual(["response"]);
      expect(fieldsOf(await browser.askForCode({ method: "passkey" }))).toEqual(["method"]);
    });

    it("are ten at most: one more is 422 on kind, and the proof stays good", async () => {
      await way.close();
      await open({ limits: { ...defaultLimits("production"), FACTORS_PASSKEYS: 1 } });
      const { device } = await add();
      way.advance(MINUTE);
      const { options } = bodyOf(await owner.put(`${FACTORS}/init`, { method: "passkey" })) as unknown as {
        readonly options: RequestOptions;
      };
      const proof = { method: "passkey", response: device.answer(options) };
      expect(fieldsOf(await owner.put(`${FACTORS}/passkey/prepare`, proof))).toEqual(["kind"]);
      bodyOf(await owner.put(`${FACTORS}/recovery-code`, proof));
    });

    it("are no way any more where the portal has lost its name", async () => {
      await add();
      await way.change("update factor_settings set sms = 'off'");
      const { place } = way;
      await way.backend.close();
      way = await openTestBackend({ place, factors: { ...OFFERED, origin: undefined }, clock: way.now });
      const browser = await withPassword(way, ANNA);
      expect(bodyOf(await browser.askForCode())).toHaveProperty("methods", ["recovery"]);
    });
  });
});
