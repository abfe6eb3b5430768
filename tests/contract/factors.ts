import { expect, it, type TestContext } from "vitest";
import { CALLS, type CallResponse } from "~/contract/calls.server";
import { freshCustomer, PIOTR, type RegisteredCustomer } from "../demo-customers";
import {
  type AddedApp,
  appCode,
  backendTime,
  bodyOf,
  confirmBy,
  prepareApp,
  proofBySms,
  withPassword,
} from "../factor-steps";
import { type Answer, Browser, statusAndFields, latestCode, messagesTo, refusalOf } from "./browser";
import { leftOut } from "./left-out";
import { register } from "./register";
import type { Way } from "./way";

const FACTORS = "/cp/api/factors";
const NOBODYS = "00000000-0000-4000-8000-000000000000";
const RECOVERY_CODE = /^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/;
const NO_RECOVERY_CODE = "AAAA".repeat(6);
/** Steps from now, to one whose code is neither used nor valid. */
const FAR = 9;

const WRONG = [400, { errorCode: "007" }];
const BLOCKED = [400, { errorCode: "016" }];

/** The factors of a customer who has added none. */
const NONE = { factors: [], recoveryCode: null, sms: true };

/** Second factors beside the SMS. A backend may leave all of them out: 404. */
export function factorPromises(way: () => Way): void {
  const listOf = async (browser: Browser, context: TestContext): Promise<CallResponse<"factors">> => {
    const { status, body } = await browser.get(FACTORS);
    if (status === 404) leftOut(way(), context, "the backend has no second factors");
    expect(status).toBe(200);
    const list = CALLS.factors.response.parse(body);
    if (!list.offered.includes("app")) leftOut(way(), context, "the backend offers no authenticator app");
    return list;
  };

  const signedIn = async (customer: RegisteredCustomer): Promise<Browser> => {
    const browser = new Browser(way());
    await browser.signIn(customer);
    return browser;
  };

  /** The code that an app shows now, or some steps from now. */
  const codeOf = async (app: Pick<AddedApp, "secret">, owner: Browser, steps = 0) =>
    appCode(app, await backendTime(owner), steps);

  /** Adds an app. The step of its code is used up then; the next one can be used at once. */
  const addAppTo = async (owner: Browser, customer: RegisteredCustomer, context: TestContext) => {
    await listOf(owner, context);
    const prepared = await prepareApp(way(), owner, customer);
    const code = await codeOf(prepared, owner);
    const { recoveryCode } = bodyOf(await owner.put(`${FACTORS}/app/confirm`, { id: prepared.id, code }));
    expect(recoveryCode).toMatch(RECOVERY_CODE);
    return { ...prepared, recoveryCode: recoveryCode ?? "", used: code };
  };

  const remove = async (owner: Browser, { id }: Pick<AddedApp, "id">) => {
    bodyOf(await owner.put(`${FACTORS}/remove`, { ...(await proofBySms(way(), owner, PIOTR)), id }));
  };

  /** PIOTR with an app, which is gone after the test. */
  const withApp = async (context: TestContext) => {
    const owner = await signedIn(PIOTR);
    const app = await addAppTo(owner, PIOTR, context);
    context.onTestFinished(() => remove(owner, app));
    return { owner, app };
  };

  /** A new customer with an app, whose account the test may change as it likes. */
  const freshWithApp = async (number: number, context: TestContext) => {
    const { browser: owner, customer } = await register(way(), freshCustomer(number));
    return { owner, customer, app: await addAppTo(owner, customer, context) };
  };

  it("are none at first, and then a sign-in names no methods", async (context) => {
    expect(await listOf(await signedIn(PIOTR), context)).toMatchObject(NONE);
    const browser = await withPassword(way(), PIOTR);
    expect(bodyOf(await browser.askForCode())).not.toHaveProperty("methods");
    await browser.confirm(await latestCode(way(), PIOTR.phone));
  });

  it("[S129] an app is added by a code sent by SMS and one of its own, and comes with a recovery code", async (context) => {
    const owner = await signedIn(PIOTR);
    await listOf(owner, context);
    expect(statusAndFields(await owner.put(`${FACTORS}/app/prepare`))).toEqual([422, ["authorizationCode"]]);
    const app = await prepareApp(way(), owner, PIOTR);
    expect(CALLS.appPrepare.response.parse(app)).toEqual(app);
    expect(app.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new URL(app.uri).searchParams.get("secret")).toBe(app.secret);
    const confirm = async (steps: number) => {
      const payload = { id: app.id, code: await codeOf(app, owner, steps), name: "Telefon" };
      return owner.put(`${FACTORS}/app/confirm`, payload);
    };
    expect(refusalOf(await confirm(FAR))).toEqual(WRONG);
    expect(await listOf(owner, context)).toMatchObject(NONE);
    expect(bodyOf(await confirm(0)).recoveryCode).toMatch(RECOVERY_CODE);
    context.onTestFinished(() => remove(owner, app));

    const list = await listOf(owner, context);
    const added = { id: app.id, kind: "app", name: "Telefon", lastUsedAt: null };
    expect(list).toMatchObject({ factors: [added], sms: true });
    expect(list.recoveryCode).not.toBeNull();
    expect(JSON.stringify((await owner.get(FACTORS)).body)).not.toContain(app.secret);
  });

  it("an app opens a sign-in, and no SMS is sent; the recovery code and the SMS are offered after it", async (context) => {
    const { owner, app } = await withApp(context);
    const sent = await messagesTo(way(), PIOTR.phone);
    const browser = await withPassword(way(), PIOTR);
    expect(bodyOf(await browser.askForCode())).toEqual({
      methods: ["app", "recovery", "sms"],
      method: "app",
    });
    bodyOf(await confirmBy(browser, "app", await codeOf(app, owner, 1)));
    expect((await browser.post("/home/api/user/init")).status).toBe(200);
    expect(await messagesTo(way(), PIOTR.phone)).toBe(sent);
    expect((await listOf(owner, context)).factors[0]?.lastUsedAt).not.toBeNull();
  });

  it("a code by SMS opens a sign-in as well, if it is asked for", async (context) => {
    await withApp(context);
    const browser = await withPassword(way(), PIOTR);
    expect(bodyOf(await browser.askForCode({ method: "sms" }))).toHaveProperty("method", "sms");
    bodyOf(await confirmBy(browser, "sms", await latestCode(way(), PIOTR.phone)));
    expect((await browser.post("/home/api/user/init")).status).toBe(200);
  });

  it("[S130] a code of an app works once, whatever it was for and in whatever browser", async (context) => {
    const { owner, app } = await withApp(context);
    const [one, other] = [await withPassword(way(), PIOTR), await withPassword(way(), PIOTR)];
    expect(refusalOf(await confirmBy(one, "app", app.used))).toEqual(WRONG);
    const code = await codeOf(app, owner, 1);
    bodyOf(await confirmBy(one, "app", code));
    expect(refusalOf(await confirmBy(other, "app", code))).toEqual(WRONG);
    const change = { authorizationCode: code, method: "app", on: true };
    expect(refusalOf(await owner.put(`${FACTORS}/sms`, change))).toEqual(WRONG);
  });

  it("[S131] an unknown method, and what can't be a code, is 422 and costs no try", async (context) => {
    const { owner, app } = await withApp(context);
    const browser = await withPassword(way(), PIOTR);
    expect(statusAndFields(await browser.askForCode({ method: "fax" }))).toEqual([422, ["method"]]);
    for (let nth = 0; nth < 6; nth += 1) {
      expect(statusAndFields(await confirmBy(browser, "fax", "123456"))).toEqual([422, ["method"]]);
      expect(statusAndFields(await confirmBy(browser, "app", "12345"))).toEqual([422, ["authorizationCode"]]);
      expect(statusAndFields(await confirmBy(browser, "recovery", "123456"))).toEqual([
        422,
        ["authorizationCode"],
      ]);
    }
    bodyOf(await confirmBy(browser, "app", await codeOf(app, owner, 1)));
  });

  it("[S131] five wrong codes of whatever method block them all in this browser, until a new SMS", async (context) => {
    const { owner, app, customer } = await freshWithApp(46, context);
    const browser = await withPassword(way(), customer);
    const right = await codeOf(app, owner, 1);
    const tries: Answer[] = [];
    for (let nth = 0; nth < 2; nth += 1)
      tries.push(
        await confirmBy(browser, "app", await codeOf(app, owner, FAR)),
        await confirmBy(browser, "recovery", NO_RECOVERY_CODE),
      );
    expect(tries.map(refusalOf)).toEqual(tries.map(() => WRONG));
    expect(refusalOf(await confirmBy(browser, "recovery", NO_RECOVERY_CODE))).toEqual(BLOCKED);
    expect(refusalOf(await confirmBy(browser, "app", right))).toEqual(BLOCKED);
    expect(refusalOf(await confirmBy(browser, "recovery", app.recoveryCode))).toEqual(BLOCKED);
    bodyOf(await browser.askForCode({ method: "sms" }));
    bodyOf(await confirmBy(browser, "app", await codeOf(app, owner, 1)));
  });

  it("[S132] the recovery code works once, in any spelling, and gives a new one", async (context) => {
    const { owner, app } = await withApp(context);
    const typed = app.recoveryCode.toLowerCase().replaceAll("-", " ");
    const browser = await withPassword(way(), PIOTR);
    const { recoveryCode } = bodyOf(await confirmBy(browser, "recovery", typed));
    expect(recoveryCode).toMatch(RECOVERY_CODE);
    expect((await browser.post("/home/api/user/init")).status).toBe(200);
    const other = await withPassword(way(), PIOTR);
    expect(refusalOf(await confirmBy(other, "recovery", app.recoveryCode))).toEqual(WRONG);
    bodyOf(await confirmBy(other, "recovery", recoveryCode ?? ""));
    // A session that it has opened needs no proof for a while; others do.
    const free = (await listOf(other, context)).withoutProofUntil;
    if (free !== undefined) expect(Date.parse(free)).toBeGreaterThan(await backendTime(other));
    expect((await listOf(owner, context)).withoutProofUntil).toBeUndefined();
    // A doubled submit must not show a code that the second has already replaced.
    const [one, twin] = await Promise.all([1, 2].map(() => other.twin().put(`${FACTORS}/recovery-code`)));
    expect(one && bodyOf(one).recoveryCode).toMatch(RECOVERY_CODE);
    expect(one?.body).toEqual(twin?.body);
    expect(statusAndFields(await owner.put(`${FACTORS}/recovery-code`))).toEqual([
      422,
      ["authorizationCode"],
    ]);
  });

  it("a recovery code counts as written down once the customer has said so", async (context) => {
    const { owner } = await withApp(context);
    const list = await listOf(owner, context);
    if (list.recoveryCode?.kept === undefined)
      leftOut(way(), context, "the backend doesn't ask whether a recovery code is written down");
    expect(list.recoveryCode).toHaveProperty("kept", false);
    bodyOf(await owner.put(`${FACTORS}/recovery-code/kept`));
    expect((await listOf(owner, context)).recoveryCode).toHaveProperty("kept", true);
  });

  it("[S133] with SMS off no message signs anybody in, and none changes a factor", async (context) => {
    const bare = await signedIn(PIOTR);
    await listOf(bare, context);
    const off = { ...(await proofBySms(way(), bare, PIOTR)), on: false };
    expect(statusAndFields(await bare.put(`${FACTORS}/sms`, off))).toEqual([422, ["on"]]);

    const { owner, app } = await withApp(context);
    const byApp = { authorizationCode: await codeOf(app, owner, 1), method: "app", on: false };
    bodyOf(await owner.put(`${FACTORS}/sms`, byApp));
    expect((await listOf(owner, context)).sms).toBe(false);
    const sent = await messagesTo(way(), PIOTR.phone);
    const browser = await withPassword(way(), PIOTR);
    expect(bodyOf(await browser.askForCode())).toEqual({ methods: ["app", "recovery"], method: "app" });
    expect(statusAndFields(await browser.askForCode({ method: "sms" }))).toEqual([422, ["method"]]);
    expect(statusAndFields(await confirmBy(browser, "sms", "123456"))).toEqual([422, ["method"]]);
    expect(statusAndFields(await owner.put(`${FACTORS}/init`))).toEqual([422, ["method"]]);
    expect(await messagesTo(way(), PIOTR.phone)).toBe(sent);
    bodyOf(await confirmBy(browser, "recovery", app.recoveryCode));
    bodyOf(await browser.put(`${FACTORS}/sms`, { on: true }));
    expect((await listOf(owner, context)).sms).toBe(true);
  });

  it("[S134] a reset of the password gives no pass, and no SMS signs in until a factor has", async (context) => {
    const { owner, app, customer } = await freshWithApp(45, context);
    const code = await codeOf(app, owner, 1);
    const stranger = new Browser(way());
    const reset = `/home/api/user/${customer.username}/password-reset`;
    await stranger.post(`${reset}/init`);
    const authorizationCode = await latestCode(way(), customer.phone);
    const renewed = { ...customer, password: "Inne-Haslo-2026" };
    bodyOf(await stranger.post(`${reset}/confirm`, { newPassword: renewed.password, authorizationCode }));
    bodyOf(await stranger.login(renewed));
    expect((await stranger.post("/home/api/user/init")).status).toBe(409);
    expect(bodyOf(await stranger.askForCode())).toEqual({ methods: ["app", "recovery"], method: "app" });
    expect(statusAndFields(await stranger.askForCode({ method: "sms" }))).toEqual([422, ["method"]]);
    bodyOf(await confirmBy(stranger, "app", code));
    const later = await withPassword(way(), renewed);
    expect(bodyOf(await later.askForCode())).toHaveProperty("methods", ["app", "recovery", "sms"]);
  });

  it("an unknown factor can't be removed, and the proof stays good; with the last one all is as before", async (context) => {
    const owner = await signedIn(PIOTR);
    const app = await addAppTo(owner, PIOTR, context);
    const proof = await proofBySms(way(), owner, PIOTR);
    expect(statusAndFields(await owner.put(`${FACTORS}/remove`, { ...proof, id: NOBODYS }))).toEqual([
      422,
      ["id"],
    ]);
    const removed = await owner.put(`${FACTORS}/remove`, { ...proof, id: app.id });
    expect([removed.status, removed.body]).toEqual([200, {}]);
    expect(await listOf(owner, context)).toMatchObject(NONE);
    const browser = await withPassword(way(), PIOTR);
    expect(bodyOf(await browser.askForCode())).not.toHaveProperty("methods");
    expect(statusAndFields(await confirmBy(browser, "recovery", app.recoveryCode))).toEqual([
      422,
      ["method"],
    ]);
    bodyOf(await browser.confirm(await latestCode(way(), PIOTR.phone)));
  });
}
