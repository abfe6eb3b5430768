import { beforeEach, describe, expect, it } from "vitest";
import { registration } from "~/journeys/register/register";
import { action as register } from "~/journeys/register/register";
import { action as setPassword } from "~/journeys/register/set-password";
import { passwordReset } from "~/journeys/reset-password/reset-password-init";
import { openVisit } from "~/visit/visit.server";
import { json, replies, reset } from "../visit/backend-stub";
import { endOf, visit, visitOf } from "../visit/visit";

/** Refused with a dialog that leads to the start. */
const REFUSED = () => json(400, { errorCode: "014" });

beforeEach(() => {
  reset();
  replies.registerInit = REFUSED;
  replies.registerConfirm = REFUSED;
});

const SENT_AT = 1_795_000_000_000;
const DETAILS = { policyNo: "POL-200001", pid: "72090811112" };
const PASSWORD = "Haslo-Nowe-2026!";
const CODE = { authorizationCode: "123456", newPassword: PASSWORD, newPasswordRepeat: PASSWORD };

/** The flow cookie of a browser that is in the middle of one. */
async function inRegistration(): Promise<string> {
  const before = visit("/home/register", { method: "POST" });
  const remembered = { ...DETAILS, codeSentAt: SENT_AT, resent: false };
  await before.run(async (args) => (await openVisit(args)).remember(registration, remembered));
  return before.cookie("flow") ?? "";
}

async function inReset(): Promise<string> {
  const before = visit("/home/reset-password-init", { method: "POST" });
  const remembered = { username: "anna.nowak", resent: false };
  await before.run(async (args) => (await openVisit(args)).remember(passwordReset, remembered));
  return before.cookie("flow") ?? "";
}

/** Sends a form from a page of a browser that has this flow cookie; what the answer does to the cookie. */
async function afterSending(
  action: typeof register | typeof setPassword,
  { path, fields, flow }: { path: string; fields: Readonly<Record<string, string>>; flow: string },
): Promise<string | undefined> {
  const sent = visitOf("signed out", path, { method: "POST", cookies: { flow } });
  const { url, headers } = sent.request;
  const request = new Request(url, { method: "POST", headers, body: new URLSearchParams(fields) });
  await endOf(sent.run(({ context }) => action({ request, context, params: {} })));
  return sent.cookie("flow");
}

describe("a form of an older flow that is refused for good leaves the flow that another tab began since", () => {
  it("of another kind, whether the form was in its middle or at its start", async () => {
    const flow = await inReset();
    const middle = { path: "/home/set-password", fields: CODE, flow };
    expect(await afterSending(setPassword, middle)).toBeUndefined();
    const start = { path: "/home/register", fields: DETAILS, flow };
    expect(await afterSending(register, start)).toBeUndefined();
  });

  it("of the same kind, since its form names when its code was sent", async () => {
    const path = "/home/set-password";
    const flow = await inRegistration();
    const older = { ...CODE, sentAt: String(SENT_AT - 1) };
    expect(await afterSending(setPassword, { path, fields: older, flow })).toBeUndefined();
  });
});

it("a refusal for good ends the flow of its own form, also of one that doesn't name its code", async () => {
  const flow = await inRegistration();
  for (const fields of [CODE, { ...CODE, sentAt: String(SENT_AT) }])
    expect(await afterSending(setPassword, { path: "/home/set-password", fields, flow })).toBe("");
  expect(await afterSending(register, { path: "/home/register", fields: DETAILS, flow })).toBe("");
});

it("a screen of an older flow that is opened again leaves the newer one", async () => {
  const here = visit("/home/set-password", { cookies: { flow: await inReset() } });
  const opened = here.run(async (args) => (await openVisit(args)).requireFlow(registration));
  expect(await endOf(opened)).toMatchObject({ to: "/home/register" });
  expect(here.cookie("flow")).toBeUndefined();
});
