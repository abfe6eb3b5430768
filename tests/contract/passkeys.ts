import { expect, it, type TestContext } from "vitest";
import { CALLS, type CallResponse } from "~/contract/calls.server";
import { JAN, PIOTR } from "../demo-customers";
import { bodyOf, proofBySms, withPassword } from "../factor-steps";
import { PasskeyDevice } from "../passkey-device";
import { Browser, statusAndFields, latestCode, messagesTo, refusalOf } from "./browser";
import { leftOut } from "./left-out";
import type { Way } from "./way";

const FACTORS = "/cp/api/factors";
const CONFIRM = "/home/api/user/activate-session/confirm";
const SIGN_IN = "/home/api/auth/passkey";
const WRONG = [400, { errorCode: "007" }];
const OVER = [400, { errorCode: "010" }];

type Options = NonNullable<CallResponse<"activateSessionInit">["options"]>;

/** Passkeys beside the SMS. A backend may leave them out: its calls for them are 404. */
export function passkeyPromises(way: () => Way): void {
  /** A customer with a passkey, which is gone after the test. */
  const withPasskey = async (context: TestContext) => {
    const owner = new Browser(way());
    await owner.signIn(PIOTR);
    await needPasskeys(owner, context);
    const { id, options } = CALLS.passkeyPrepare.response.parse(
      (await owner.put(`${FACTORS}/passkey/prepare`, await proofBySms(way(), owner, PIOTR))).body,
    );
    const device = new PasskeyDevice(`https://${options.rp.id ?? ""}`);
    const response = device.make(options);
    expect(statusAndFields(await owner.put(`${FACTORS}/passkey/confirm`, { id, response: "{}" }))).toEqual([
      422,
      ["response"],
    ]);
    bodyOf(await owner.put(`${FACTORS}/passkey/confirm`, { id, response, name: "Klucz" }));
    context.onTestFinished(async () => {
      bodyOf(await owner.put(`${FACTORS}/remove`, { ...(await proofBySms(way(), owner, PIOTR)), id }));
    });
    return { owner, device, id };
  };

  const needPasskeys = async (browser: Browser, context: TestContext) => {
    const { status, body } = await browser.get(FACTORS);
    const list = CALLS.factors.response.safeParse(body);
    if (status === 200 && list.data?.offered.includes("passkey")) return;
    leftOut(way(), context, "the backend offers no passkeys here");
  };

  const ask = async (browser: Browser): Promise<Options> => {
    const { body } = await browser.askForCode({ method: "passkey" });
    const { options } = CALLS.activateSessionInit.response.parse(body);
    if (!options) throw new Error("no options for a passkey");
    return options;
  };

  const signIn = (browser: Browser, response: unknown) =>
    browser.post(CONFIRM, { method: "passkey", response, trustDevice: "N", deviceName: "Firefox, Linux" });

  it("[S143] a passkey opens a sign-in, and no SMS is sent", async (context) => {
    const { owner, device, id } = await withPasskey(context);
    const { factors } = bodyOf(await owner.get(FACTORS));
    expect(factors).toContainEqual(expect.objectContaining({ id, kind: "passkey", name: "Klucz" }));
    const sent = await messagesTo(way(), PIOTR.phone);
    const browser = await withPassword(way(), PIOTR);
    expect(bodyOf(await browser.askForCode())).toMatchObject({
      methods: ["passkey", "recovery", "sms"],
      method: "passkey",
    });
    bodyOf(await signIn(browser, device.answer(await ask(browser))));
    expect((await browser.post("/home/api/user/init")).status).toBe(200);
    expect(await messagesTo(way(), PIOTR.phone)).toBe(sent);
  });

  it("[S145] a wrong answer is 007, and uses its challenge up; one to an earlier challenge is 010", async (context) => {
    const { device } = await withPasskey(context);
    const browser = await withPassword(way(), PIOTR);
    const first = await ask(browser);
    const later = await ask(browser);
    expect(refusalOf(await signIn(browser, device.answer(first)))).toEqual(OVER);
    expect(
      refusalOf(await signIn(browser, device.answer(later, { origin: "https://evil.example" }))),
    ).toEqual(WRONG);
    expect(refusalOf(await signIn(browser, device.answer(later)))).toEqual(OVER);
    bodyOf(await signIn(browser, device.answer(await ask(browser))));
  });

  /** What any passkey is asked in this browser. */
  const askAny = async (browser: Browser, context: TestContext): Promise<Options> => {
    const begun = await browser.post(`${SIGN_IN}/init`);
    if (begun.status === 404) {
      expect((await browser.post(`${SIGN_IN}/confirm`)).status).toBe(404);
      leftOut(way(), context, "the backend offers no sign-in by passkey");
    }
    const { options } = CALLS.passkeySignInInit.response.parse(begun.body);
    expect(options).toMatchObject({ allowCredentials: [], userVerification: "required" });
    return options;
  };

  const signInAlone = (browser: Browser, response: unknown) =>
    browser.post(`${SIGN_IN}/confirm`, { response });

  it("[S162] a passkey alone opens an active session; a repeat gets the same", async (context) => {
    const { device } = await withPasskey(context);
    const sent = await messagesTo(way(), PIOTR.phone);
    const browser = new Browser(way());
    const right = device.answer(await askAny(browser, context));
    const again = browser.twin();
    bodyOf(await signInAlone(browser, right));
    expect((await browser.post("/home/api/user/init")).status).toBe(200);
    bodyOf(await signInAlone(again, right));
    expect(again.session).toBe(browser.session);
    expect(await messagesTo(way(), PIOTR.phone)).toBe(sent);
    expect((await browser.post(`${SIGN_IN}/init`)).status).toBe(409);
  });

  it("[S162, S163] a wrong answer and an unknown passkey are 007, and use the challenge up; a foreign one is 010", async (context) => {
    const { device, owner } = await withPasskey(context);
    const browser = new Browser(way());
    const known = CALLS.factors.response.parse((await owner.get(FACTORS)).body).passkeys;
    if (known) expect(known.credentialIds).toContain(device.id);
    const unknown = new PasskeyDevice(device.origin);
    const prepared = await owner.put(`${FACTORS}/passkey/prepare`, await proofBySms(way(), owner, PIOTR));
    unknown.make(CALLS.passkeyPrepare.response.parse(prepared.body).options);
    for (const answer of [
      (options: Options) => device.answer(options, { flags: 0x01 }),
      (options: Options) => device.answer(options, { userHandle: null }),
      (options: Options) => unknown.answer(options),
    ]) {
      const options = await askAny(browser, context);
      // A backend may say that it is unknown.
      expect(refusalOf(await signInAlone(browser, answer(options)))).toMatchObject(WRONG);
      expect(refusalOf(await signInAlone(browser, device.answer(options)))).toEqual(OVER);
    }
    const other = new Browser(way());
    await askAny(other, context);
    expect(refusalOf(await signInAlone(other, device.answer(await askAny(browser, context))))).toEqual(OVER);
  });

  it("[S144] what can't be an answer is 422, and costs no try", async (context) => {
    const { device } = await withPasskey(context);
    const browser = await withPassword(way(), PIOTR);
    const right = device.answer(await ask(browser));
    for (const response of ["x", {}, { ...right, more: "x".repeat(8192) }, [], null, { ...right, rawId: 7 }])
      expect(statusAndFields(await signIn(browser, response))).toEqual([422, ["response"]]);
    bodyOf(await signIn(browser, right));
  });

  it("[S147] a passkey of one customer opens no other account", async (context) => {
    const { device } = await withPasskey(context);
    const other = new Browser(way());
    await other.signIn(JAN);
    const { id, options } = CALLS.passkeyPrepare.response.parse(
      (await other.put(`${FACTORS}/passkey/prepare`, await proofBySms(way(), other, JAN))).body,
    );
    expect(
      refusalOf(await other.put(`${FACTORS}/passkey/confirm`, { id, response: device.make(options) })),
    ).toEqual(WRONG);
    const browser = await withPassword(way(), JAN);
    expect(statusAndFields(await browser.askForCode({ method: "passkey" }))).toEqual([422, ["method"]]);
    expect(statusAndFields(await signIn(browser, device.answer(options)))).toEqual([422, ["method"]]);
    await browser.askForCode();
    bodyOf(await browser.confirm(await latestCode(way(), JAN.phone)));
  });
}
