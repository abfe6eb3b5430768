import { describe, expect, test } from "vitest";
import { register } from "../new-account";
import type { HttpAnswer } from "../http-request";
import { IS_RELEASE } from "../release-run";
import { Visitor } from "../visitor";
import { ALL_CODE_STEPS, type CodeStep } from "../account-steps";
import { newCustomer, sharedPortal } from "../shared-portal";

const portal = sharedPortal();

const places = (answers: readonly HttpAnswer[]) =>
  answers.map(({ status, header }) => `${status} ${header("Location") ?? ""}`);

/** Two windows of one browser, with the same cookies. */
function windowsOf(visitor: Visitor): readonly [Visitor, Visitor] {
  return [visitor.twin(), visitor.twin()];
}

async function form(step: CodeStep, phone: string) {
  return { authorizationCode: await portal.lastCode(phone), ...step.fields() };
}

/** Opens the next screen with the cookies from the second answer; the first answer was dropped. */
async function hasArrived(visitor: Visitor, next: string): Promise<void> {
  expect([next, (await visitor.get(next)).status]).toEqual([next, 200]);
}

// One step of each kind; before a release each.
const KINDS: readonly string[] = ["set-password", "change-login", "remind-login-submit"];
const STEPS = ALL_CODE_STEPS.filter(([name]) => IS_RELEASE || KINDS.includes(name));

describe.each(STEPS)("[S46] %s, sent twice", (_, step) => {
  test("at the same moment: both windows reach the next screen", async () => {
    const { visitor, phone } = await step.arrive(portal, newCustomer());
    const fields = await form(step, phone);
    const before = await portal.messagesTo(phone);
    const windows = windowsOf(visitor);
    const answers = await Promise.all(windows.map((window) => window.post(step.path, fields)));
    expect(places(answers)).toEqual([`303 ${step.next}`, `303 ${step.next}`]);
    for (const window of windows) await hasArrived(window, step.next);
    expect(await portal.messagesTo(phone)).toBe(before);
  });

  test("one after the other, the first answer lost: the second still reaches the next screen", async () => {
    const { visitor, phone } = await step.arrive(portal, newCustomer());
    const fields = await form(step, phone);
    const [first, second] = windowsOf(visitor);
    expect(places([await first.post(step.path, fields)])).toEqual([`303 ${step.next}`]);
    expect(places([await second.post(step.path, fields)])).toEqual([`303 ${step.next}`]);
    await hasArrived(second, step.next);
  });
});

describe("[S46] a start step, sent twice", () => {
  test.each([
    ["/home/register", "/home/set-password"],
    ["/home/reset-password-init", "/home/reset-password-submit"],
    ["/home/remind-login-init", "/home/remind-login-submit"],
  ])("%s: at once and once more, one message, and both go on", async (path, next) => {
    const someone = newCustomer();
    const fields = path === "/home/register" ? someone : (await register(portal, someone)).account;
    const visitor = new Visitor(portal);
    await visitor.accept();
    const before = await portal.messagesTo(someone.phone);
    const [one, other] = windowsOf(visitor);
    const typed = Object.fromEntries(
      Object.entries(fields).filter(([name]) => ["policyNo", "pid", "username"].includes(name)),
    );
    const answers = await Promise.all([one.post(path, typed), other.post(path, typed)]);
    answers.push(await one.post(path, typed), await other.post(path, typed));
    expect(places(answers)).toEqual(Array.from(answers, () => `303 ${next}`));
    expect(await portal.messagesTo(someone.phone)).toBe(before + 1);
  });

  test("the confirm-login button: one message, and both windows go on to the new username", async () => {
    const { account, visitor } = await register(portal, newCustomer());
    const before = await portal.messagesTo(account.phone);
    const answers = await Promise.all(
      windowsOf(visitor).map((window) => window.post("/home/confirm-login", { intent: "change" })),
    );
    expect(places(answers)).toEqual(["303 /home/change-login", "303 /home/change-login"]);
    expect(await portal.messagesTo(account.phone)).toBe(before + 1);
  });

  test("a button of the profile: one message, and both windows show the code field", async () => {
    const path = "/home/change-password";
    const { account, visitor } = await register(portal, newCustomer());
    const before = await portal.messagesTo(account.phone);
    const answers = await Promise.all(
      windowsOf(visitor).map((window) => window.post(path, { intent: "send-code" })),
    );
    expect(places(answers)).toEqual([`303 ${path}`, `303 ${path}`]);
    expect(await portal.messagesTo(account.phone)).toBe(before + 1);
  });
});
