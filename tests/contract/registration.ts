import { expect, it } from "vitest";
import { ANNA, PIOTR, freshCustomer, type DemoCustomer } from "../demo-customers";
import { Browser, latestCode, messagesTo } from "./browser";
import { NEW_PASSWORD } from "./register";
import type { Way } from "./way";

/** Registration. */
export function registrationPromises(way: () => Way): void {
  const init = "/home/api/user/register/init";
  const confirm = "/home/api/user/register/confirm";

  it("[S127] ignores case, spaces, dashes and invisible characters in number and identifier", async () => {
    const { policyNo, pid, phone } = freshCustomer(1);
    const browser = new Browser(way());
    await browser.post(init, {
      policyNo: ` ${policyNo.toLowerCase().replaceAll("-", "\u2013")} `,
      pid: ` \u200e${pid.slice(0, 4).toLowerCase()} ${pid.slice(4)}`,
    });
    const payload = {
      authorizationCode: await latestCode(way(), phone),
      password: NEW_PASSWORD,
      pid: `${pid.slice(0, 2)}-${pid.slice(2)}`,
      policyNo: `${policyNo.slice(0, 2)} ${policyNo.slice(2)}`,
    };
    expect((await browser.post(confirm, payload)).status).toBe(200);
  });

  it("[S4] reveals 014 only to callers who know both the number and its identifier", async () => {
    const right = { policyNo: ANNA.policyNo, pid: ANNA.pid };
    const before = await messagesTo(way(), ANNA.phone);
    const answers = [
      right,
      { ...right, pid: PIOTR.pid },
      { policyNo: "POL-999999", pid: ANNA.pid },
      { policyNo: "POL-999999", pid: "00000000000" },
    ].map(async (payload) => {
      const { status, body } = await new Browser(way()).post(init, payload);
      return [status, body];
    });
    expect(await Promise.all(answers)).toEqual([
      [400, { errorCode: "014" }],
      [200, {}],
      [200, {}],
      [200, {}],
    ]);
    expect(await messagesTo(way(), ANNA.phone)).toBe(before);
  });

  it("[S3] answers details that match no customer like real ones, up to 016", async () => {
    const walk = async ({ policyNo, pid }: Pick<DemoCustomer, "policyNo" | "pid">) => {
      const browser = new Browser(way());
      const seen = [await browser.post(init, { policyNo, pid })];
      for (let nth = 0; nth < 6; nth += 1) {
        const payload = { authorizationCode: `00000${nth}`, password: NEW_PASSWORD, pid, policyNo };
        seen.push(await browser.post(confirm, payload));
      }
      seen.push(await browser.post(init, { policyNo, pid, resend: true }));
      return seen.map(({ status, body, headers }) => ({ status, body, type: headers.get("Content-Type") }));
    };
    const real = await walk(freshCustomer(2));
    expect(real.map(({ body }) => (body as { errorCode?: string }).errorCode)).toEqual([
      undefined,
      "007",
      "007",
      "007",
      "007",
      "016",
      "016",
      undefined,
    ]);
    expect(await walk({ policyNo: "POL-999998", pid: "ABC123456" })).toEqual(real);
  });

  it("[S79] refuses a password that breaks a rule with 422, and keeps the code valid, four times", async () => {
    const { policyNo, pid, phone } = freshCustomer(3);
    const browser = new Browser(way());
    await browser.post(init, { policyNo, pid });
    const authorizationCode = await latestCode(way(), phone);
    for (const password of ["Krótkie-1ab", "bez-wielkich-1", "Bez-Cyfry-Tutaj", "Bezspecjalnych1"]) {
      const answer = await browser.post(confirm, { authorizationCode, password, pid, policyNo });
      expect([answer.status, answer.body], password).toEqual([
        422,
        { errorCode: "invalid", fields: ["password"] },
      ]);
    }
    expect(
      (await browser.post(confirm, { authorizationCode, password: NEW_PASSWORD, pid, policyNo })).status,
    ).toBe(200);
  });

  it("makes one account and one session from fifty submits at once", async () => {
    const { policyNo, pid, phone } = freshCustomer(4);
    const browser = new Browser(way());
    await browser.post(init, { policyNo, pid });
    const payload = {
      authorizationCode: await latestCode(way(), phone),
      password: NEW_PASSWORD,
      pid,
      policyNo,
    };
    const twins = Array.from({ length: 50 }, () => browser.twin());
    const answers = await Promise.all(twins.map((twin) => twin.post(confirm, payload)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(new Set(twins.map(({ session }) => session)).size).toBe(1);
    expect((await browser.post(confirm, payload)).status).toBe(200);
  });
}
