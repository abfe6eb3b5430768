import { describe, expect, test } from "vitest";
import { ANNA, PIOTR } from "../demo-customers";
import { register } from "../new-account";
import { Visitor } from "../visitor";
import { readPage } from "./account-page";
import { ALL_CODE_STEPS, CODE_STEPS, start } from "../account-steps";
import { newCustomer, sharedPortal } from "../shared-portal";

const portal = sharedPortal();

const page = async (visitor: Visitor, path: string) => readPage((await visitor.get(path)).body);

describe.each(ALL_CODE_STEPS)("%s", (_, step) => {
  test("opened again it is the same screen; back leads to where it began; neither sends another code", async () => {
    const { visitor, phone } = await step.arrive(portal, newCustomer());
    const before = await portal.messagesTo(phone);
    const first = await page(visitor, step.path);
    for (const window of [visitor, visitor.twin()])
      expect((await page(window, step.path)).text).toBe(first.text);
    const back = await visitor.post(step.path, { intent: "back" });
    expect([back.status, back.header("Location")]).toEqual([303, step.back]);
    const opened = await visitor.get(step.back);
    expect(opened.status).toBe(200);
    if (step.first !== undefined) {
      const { value } = readPage(opened.body);
      const typed = ["policyNo", "pid", "username"].flatMap((field) => {
        const kept = value(field);
        return kept === undefined ? [] : [[field, kept] as const];
      });
      expect(typed.every(([, kept]) => kept !== "")).toBe(true);
      await start(visitor, step.first, Object.fromEntries(typed));
    } else {
      await start(visitor, step.path, { intent: "send-code" });
    }
    expect(await portal.messagesTo(phone)).toBe(before);
    const fields = { authorizationCode: await portal.lastCode(phone), ...step.fields() };
    expect((await visitor.post(step.path, fields)).header("Location")).toBe(step.next);
  });
});

describe("§4 where a journey goes on", () => {
  test("[S48] remind: the username comes from the flow, whatever the field says", async () => {
    const { account } = await register(portal, newCustomer());
    const visitor = new Visitor(portal);
    await visitor.accept();
    await start(visitor, "/home/remind-login-init", { policyNo: ` ${account.policyNo.toLowerCase()} ` });
    const authorizationCode = await portal.lastCode(account.phone);
    await start(visitor, "/home/remind-login-submit", { authorizationCode });
    expect((await page(visitor, "/home/remind-login-final")).value("username")).toBe(account.username);
    const refused = await visitor.post("/home/remind-login-final", {
      username: ANNA.username,
      password: "Zle-1",
    });
    expect(readPage(refused.body).value("username")).toBe(account.username);
    const sent = await visitor.post("/home/remind-login-final", {
      username: ANNA.username,
      password: account.password,
    });
    expect(sent.header("Location")).toBe("/home/mfa");
    const info = await visitor.call("GET", "/home/api/user/info");
    expect(JSON.parse(info.body)).toMatchObject({ username: account.username });
  });

  test("a username change begun at confirm-login ends at /cp, and back leads there", async () => {
    const { account, visitor } = await register(portal, newCustomer());
    await start(visitor, "/home/confirm-login", { intent: "change" });
    const back = await visitor.post("/home/change-login", { intent: "back" });
    expect(back.header("Location")).toBe("/home/confirm-login");
    await start(visitor, "/home/confirm-login", { intent: "change" });
    const authorizationCode = await portal.lastCode(account.phone);
    const done = await start(visitor, "/home/change-login", {
      authorizationCode,
      ...CODE_STEPS["change-login"].fields(),
    });
    expect(done.header("Location")).toBe("/cp");
  });

  test("document password: create leads to change if there is one, change leads to create if there is none", async () => {
    const without = (await register(portal, newCustomer())).visitor;
    expect((await without.get("/home/change-document-password")).header("Location")).toBe(
      "/home/create-document-password",
    );
    const visitor = new Visitor(portal);
    await visitor.signIn(PIOTR);
    expect((await visitor.get("/home/create-document-password")).header("Location")).toBe(
      "/home/change-document-password",
    );
  });

  test("§2 /cp/profile: of document-password-save-result only create and change count", async () => {
    const { visitor } = await register(portal, newCustomer());
    const result = async (query: string) => {
      const { says } = await page(visitor, `/cp/profile?document-password-save-result=${query}`);
      return [says("Hasło do dokumentów zostało utworzone."), says("Hasło do dokumentów zostało zmienione.")];
    };
    expect(await result("create")).toEqual([true, false]);
    expect(await result("change")).toEqual([false, true]);
    for (const other of ["", "delete", "CREATE", "%3Cscript%3E", "%00", "create,change"])
      expect([other, ...(await result(other))]).toEqual([other, false, false]);
  });
});
