import { expect, it, type TestContext } from "vitest";
import { CALLS } from "~/contract/calls.server";
import { freshCustomer } from "../demo-customers";
import { addApp, type AddedApp, appCode, backendTime, bodyOf, proofBySms } from "../factor-steps";
import { PasskeyDevice } from "../passkey-device";
import { begin, confirmByPasskey, confirmWith, optionsIn, provenChanges } from "../proven-changes";
import { Browser, statusAndFields, latestCode, messagesTo, refusalOf } from "./browser";
import { leftOut } from "./left-out";
import { register } from "./register";
import type { Way } from "./way";

const FACTORS = "/cp/api/factors";
const FAR = 9;
const RECOVERY_CODE = /^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/;

const WRONG = [400, { errorCode: "007" }];
const OVER = [400, { errorCode: "010" }];

/** Changes of password, username and document password by an account with factors. A backend may leave factors out. */
export function provenChangePromises(way: () => Way): void {
  const need = async (browser: Browser, kind: "app" | "passkey", context: TestContext) => {
    const { status, body } = await browser.get(FACTORS);
    const list = CALLS.factors.response.safeParse(body);
    if (status !== 200 || !list.data?.offered.includes(kind))
      leftOut(way(), context, `the backend offers no ${kind} here`);
  };

  const codeOf = async (app: AddedApp, owner: Browser, steps = 0) =>
    appCode(app, await backendTime(owner), steps);

  it("[S161, S156] with SMS off the app or the recovery code confirms each change, and no SMS does", async (context) => {
    const { browser: owner, customer } = await register(way(), freshCustomer(47));
    await need(owner, "app", context);
    const elsewhere = new Browser(way());
    await elsewhere.signIn(customer);
    const app = await addApp(way(), owner, customer, await backendTime(owner));
    // Whoever was in the account elsewhere is out.
    expect((await elsewhere.get("/home/api/user/info")).status).toBe(401);
    const { username, ...changes } = provenChanges(customer.username);
    const all = [...Object.values(changes), ...(username ? [username] : [])];
    for (const change of all) bodyOf(await begin(owner, change, { method: "sms" }));
    const early = await latestCode(way(), customer.phone);
    const proof = { method: "app", authorizationCode: await codeOf(app, owner) };
    bodyOf(await owner.put(`${FACTORS}/sms`, { ...proof, on: false }));

    const sent = await messagesTo(way(), customer.phone);
    let recovery = app.recoveryCode ?? "";
    for (const change of all) {
      expect(bodyOf(await begin(owner, change))).toEqual({ methods: ["app", "recovery"], method: "app" });
      expect(statusAndFields(await begin(owner, change, { method: "sms" }))).toEqual([422, ["method"]]);
      expect(statusAndFields(await confirmWith(owner, change, early))).toEqual([422, ["method"]]);
      const wrong = await codeOf(app, owner, FAR);
      expect(refusalOf(await confirmWith(owner, change, wrong, { method: "app" }))).toEqual(WRONG);
      expect(statusAndFields(await confirmWith(owner, change, "12345", { method: "app" }))).toEqual([
        422,
        [change.code],
      ]);
      const confirmed = bodyOf(await confirmWith(owner, change, recovery, { method: "recovery" }));
      expect(confirmed.recoveryCode).toMatch(RECOVERY_CODE);
      recovery = confirmed.recoveryCode ?? "";
    }
    expect(await messagesTo(way(), customer.phone)).toBe(sent);
    const [again] = Object.values(provenChanges("inna.nazwa"));
    if (!again) throw new Error("no changes");
    const code = await codeOf(app, owner, 1);
    const byApp = await confirmWith(owner, again, code, { method: "app", ...again.otherwise });
    expect([byApp.status, byApp.body]).toEqual([200, {}]);
    expect((await owner.post("/home/api/user/init")).status).toBe(200);
  });

  it("[S161] a passkey confirms a change, by a challenge for this change alone", async (context) => {
    const { browser: owner, customer } = await register(way(), freshCustomer(48));
    await need(owner, "passkey", context);
    const prepared = await owner.put(`${FACTORS}/passkey/prepare`, await proofBySms(way(), owner, customer));
    const { id, options } = CALLS.passkeyPrepare.response.parse(prepared.body);
    const device = new PasskeyDevice(`https://${options.rp.id ?? ""}`);
    bodyOf(await owner.put(`${FACTORS}/passkey/confirm`, { id, response: device.make(options) }));
    const documents = provenChanges(customer.username)["document password, the first"];
    if (!documents) throw new Error("no such change");
    const other = optionsIn(await owner.put(`${FACTORS}/init`, { method: "passkey" }));
    expect(refusalOf(await confirmByPasskey(owner, documents, device.answer(other)))).toEqual(WRONG);
    const asked = optionsIn(await begin(owner, documents));
    const right = device.answer(asked);
    bodyOf(await confirmByPasskey(owner, documents, right));
    expect(refusalOf(await confirmByPasskey(owner, documents, right, documents.otherwise))).toEqual(OVER);
  });
}
