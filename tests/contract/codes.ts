import { expect, it } from "vitest";
import { ANNA, JAN, PIOTR, type RegisteredCustomer } from "../demo-customers";
import { Browser, latestCode, messagesTo, wrongCode } from "./browser";
import type { Way } from "./way";

const BLOCKED = { errorCode: "016" };
const WRONG = { errorCode: "007" };

/** One-time codes, as used for signing in. */
export function codePromises(way: () => Way): void {
  /** A browser that was just sent a code. */
  async function withCode(customer: RegisteredCustomer = ANNA): Promise<{ browser: Browser; code: string }> {
    const browser = new Browser(way());
    await browser.login(customer);
    await browser.askForCode();
    return { browser, code: await latestCode(way(), customer.phone) };
  }

  it("a wrong code is 007, and the right one still works afterwards", async () => {
    const { browser, code } = await withCode();
    expect(await browser.confirm(wrongCode(code))).toMatchObject({ status: 400, body: WRONG });
    expect((await browser.confirm(`${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
  });

  it("[S118] what can't be a code is 422 and counts as no try: the right one still works", async () => {
    const { browser, code } = await withCode();
    for (const typed of ["", "   ", "żółć", "12345a", "-", "1", "12345", "123 45", "1234567"])
      expect(await browser.confirm(typed), typed).toMatchObject({
        status: 422,
        body: { errorCode: "invalid", fields: ["authorizationCode"] },
      });
    expect((await browser.confirm(code)).status).toBe(200);
  });

  it.each([
    ["spaces", (a: string, b: string) => ` ${a} ${b}\u00a0`],
    ["a hyphen and a full stop", (a: string, b: string) => `${a}-${b}.`],
    ["a dash", (a: string, b: string) => `${a}\u2013${b}`],
    ["invisible characters", (a: string, b: string) => `\u202a${a}\u200b${b}\ufeff`],
    [
      "full-width digits",
      (a: string, b: string) =>
        (a + b).replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
    ],
  ])("[F30] a code with %s is that code", async (_name, write) => {
    const { browser, code } = await withCode();
    expect((await browser.confirm(write(code.slice(0, 3), code.slice(3)))).status).toBe(200);
  });

  it("if no code was requested, every code is 010", async () => {
    const browser = new Browser(way());
    await browser.login(ANNA);
    expect((await browser.confirm("000000")).body).toEqual({ errorCode: "010" });
  });

  it("[S21] the fifth wrong code blocks it, and then the right one is refused too", async () => {
    const { browser, code } = await withCode(PIOTR);
    for (let nth = 1; nth <= 4; nth += 1)
      expect((await browser.confirm(wrongCode(code, nth))).body).toEqual(WRONG);
    expect((await browser.confirm(wrongCode(code, 5))).body).toEqual(BLOCKED);
    expect((await browser.confirm(code)).body).toEqual(BLOCKED);

    await browser.askForCode();
    const next = await latestCode(way(), PIOTR.phone);
    expect((await browser.confirm(wrongCode(next))).body).toEqual(WRONG);
    expect((await browser.confirm(next)).status).toBe(200);
  });

  it("[S21] of fifty codes at once, at most five are compared", async () => {
    const { browser, code } = await withCode(JAN);
    const tries = await Promise.all(
      Array.from({ length: 50 }, (_, nth) => browser.twin().confirm(wrongCode(code, nth + 1))),
    );
    expect(tries.filter(({ body }) => (body as typeof WRONG).errorCode === "007")).toHaveLength(4);
    expect((await browser.confirm(code)).body).toEqual(BLOCKED);
  });

  it("[S24] the right code fifty times at once makes one session", async () => {
    const { browser, code } = await withCode();
    const twins = Array.from({ length: 50 }, () => browser.twin());
    const answers = await Promise.all(twins.map((twin) => twin.confirm(code, "Y")));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    const kept = twins.map(({ cookies }) =>
      [...cookies]
        .map((pair) => pair.join("="))
        .toSorted()
        .join("; "),
    );
    expect(new Set(kept).size).toBe(1);
  });

  it("[S24] a used code is 010 for any other confirm", async () => {
    const { browser, code } = await withCode();
    const before = browser.twin();
    await browser.confirm(code, "N");
    expect((await browser.confirm(code, "Y")).body).toEqual({ errorCode: "010" });
    expect((await before.confirm(code, "Y")).status).toBe(401);
  });

  it("[S27] a second request at once sends no second message", async () => {
    const { browser, code } = await withCode();
    const sent = await messagesTo(way(), ANNA.phone);
    const answers = await Promise.all(Array.from({ length: 50 }, () => browser.twin().askForCode()));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await messagesTo(way(), ANNA.phone)).toBe(sent);
    expect((await browser.confirm(code)).status).toBe(200);
  });

  it("[S29] no field of the request changes where the code goes", async () => {
    const browser = new Browser(way());
    await browser.login(PIOTR);
    const elsewhere = "+48500999999";
    await browser.askForCode({ phone: elsewhere, to: elsewhere, phoneNumber: elsewhere });
    expect((await browser.confirm(await latestCode(way(), PIOTR.phone))).status).toBe(200);
    expect(await messagesTo(way(), elsewhere)).toBe(0);
  });
}
