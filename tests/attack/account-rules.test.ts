import { describe, expect, test } from "vitest";
import { ALL_CODE_STEPS } from "../account-steps";
import { Visitor } from "../visitor";
import { newCustomer, sharedPortal } from "../shared-portal";
import { readPage } from "./account-page";

const EMPTY = "Pole nie może być puste.";
const portal = sharedPortal();

test.each(ALL_CODE_STEPS)("§5 at %s, with nothing filled in, every field says so", async (_name, step) => {
  const { visitor } = await step.arrive(portal, newCustomer());
  const page = readPage((await visitor.post(step.path, {})).body);
  for (const field of ["authorizationCode", ...Object.keys(step.fields())])
    expect([field, page.errorAt(field)]).toEqual([field, expect.stringContaining(EMPTY)]);
});

describe("§5 the start steps require every field they ask for", () => {
  test.each([
    ["/home/register", { policyNo: "", pid: "PESEL-1" }, "policyNo"],
    ["/home/register", { policyNo: "POL-1", pid: "" }, "pid"],
    ["/home/register", { policyNo: "POL-1", pid: " \t " }, "pid"],
    ["/home/reset-password-init", { username: " " }, "username"],
    ["/home/remind-login-init", { policyNo: "" }, "policyNo"],
  ] as const)("%s with %j: %s", async (path, typed, field) => {
    const visitor = new Visitor(portal);
    await visitor.accept();
    const answer = await visitor.post(path, typed);
    const page = readPage(answer.body);
    expect([answer.status, page.errorAt(field)]).toEqual([400, expect.stringContaining(EMPTY)]);
    for (const [each, value] of Object.entries(typed))
      expect([each, page.value(each)]).toEqual([each, value]);
  });

  test("a form that breaks a rule sends no message", async () => {
    const visitor = new Visitor(portal);
    await visitor.accept();
    const { policyNo, phone } = newCustomer();
    await visitor.post("/home/register", { policyNo, pid: "" });
    expect(await portal.messagesTo(phone)).toBe(0);
  });
});
