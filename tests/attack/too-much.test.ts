import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANNA, JAN } from "../demo-customers";
import { startPortal, wrongCode, type Portal } from "../portal";
import { Visitor } from "../visitor";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal({
    env: {
      TRUSTED_PROXIES: "127.0.0.1",
      LIMIT_ADDRESS_SIGN_INS_PER_10_MINUTES: "3",
      LIMIT_ADDRESS_CONFIRMS_PER_10_MINUTES: "2",
      LIMIT_SMS_KNOWN_PER_10_MINUTES: "1",
      LIMIT_RESEND_THROTTLE_MS: "1",
      LIMIT_CODE_REPEAT_SECONDS: "1",
      LIMIT_HASH_PARALLEL: "1",
      LIMIT_HASH_PLACES: "2",
    },
  });
});
afterAll(() => portal.stop());

let addresses = 0;
/** A visitor with an address of their own. */
async function newVisitor(): Promise<Visitor> {
  const visitor = new Visitor(portal, { "X-Forwarded-For": `203.0.113.${(addresses += 1)}` });
  await visitor.accept();
  return visitor;
}

describe("[S15] visitors who try too often are told in words how long to wait", () => {
  test("at the password: a page with 429 and Retry-After, the username kept, the password not", async () => {
    const visitor = await newVisitor();
    for (let nth = 0; nth < 3; nth += 1) {
      expect((await visitor.login({ username: `kto.${nth}x`, password: "Zle-Haslo-1!" })).status).toBe(400);
    }
    const refused = await visitor.login(ANNA);
    expect([refused.status, refused.lines("Retry-After").length]).toEqual([429, 1]);
    expect(Number(refused.header("Retry-After"))).toBeGreaterThan(540);
    expect(refused.body).toContain("Zbyt wiele prób. Spróbuj ponownie za 10\u00a0minut.");
    expect(refused.body).toContain("<title>Błąd: Logowanie klienta");
    expect(refused.body).toMatch(
      /name="username"[^>]*value="anna\.nowak"|value="anna\.nowak"[^>]*name="username"/,
    );
    expect(refused.body).not.toContain(ANNA.password);

    const call = await visitor.call("POST", "/home/api/auth/login", { username: "a", password: "b" });
    expect([call.status, JSON.parse(call.body)]).toMatchObject([429, { errorCode: "rate-limited" }]);
    expect(call.lines("Retry-After")).toHaveLength(1);
  });

  test("at the resend button: the same page, the choice to trust kept, and nobody signed out", async () => {
    const visitor = await newVisitor();
    await visitor.begin(ANNA);
    const code = await portal.lastCode(ANNA.phone);
    const refused = await visitor.post("/home/mfa", { intent: "send-code" });
    expect([refused.status, refused.lines("Retry-After").length]).toEqual([429, 1]);
    expect(refused.body).toMatch(/Zbyt wiele prób\. Spróbuj ponownie za \d+\sminut/);
    expect(/<input[^>]*name="trustDevice"[^>]*>/.exec(refused.body)?.[0]).not.toContain("checked");
    expect((await visitor.confirm(code)).header("Location")).toBe("/cp");
  });
});

test("[S110] at the code of an open journey: the form with 429 and Retry-After, and the right code unseen", async () => {
  const visitor = await newVisitor();
  await visitor.post("/home/remind-login-init", { policyNo: JAN.policyNo });
  const code = await portal.lastCode(JAN.phone);
  const type = (authorizationCode: string) =>
    visitor.post("/home/remind-login-submit", { authorizationCode });
  for (const nth of [1, 2]) expect((await type(wrongCode(code, nth))).status).toBe(400);
  const refused = await type(code);
  expect([refused.status, refused.lines("Retry-After").length]).toEqual([429, 1]);
  expect(Number(refused.header("Retry-After"))).toBeGreaterThan(540);
  expect(refused.body).toContain("Zbyt wiele prób. Spróbuj ponownie za 10\u00a0minut.");
  expect(refused.body).toContain('name="authorizationCode"');
  expect(refused.body).not.toContain(JAN.username);
});

test("[S65] too many sign-ins at once: 503 with the seconds in words, the username kept, and the next try works", async () => {
  const visitors = await Promise.all(Array.from({ length: 30 }, newVisitor));
  const answers = await Promise.all(
    visitors.map((visitor, nth) => visitor.login({ username: `kto.${nth}x`, password: "Zle-Haslo-1!" })),
  );
  const busy = answers.filter(({ status }) => status === 503);
  expect(busy.length).toBeGreaterThan(0);
  for (const { lines, body } of busy) {
    expect(lines("Retry-After")).toHaveLength(1);
    expect(body).toMatch(/Z\sportalu korzysta teraz bardzo wiele osób\. Spróbuj ponownie za \d+\ssekund/);
    expect(body).toMatch(/value="kto\.\d+x"/);
  }
  expect(answers.every(({ status }) => status === 400 || status === 503)).toBe(true);

  const [visitor] = visitors;
  expect((await visitor?.login(ANNA))?.header("Location")).toBe("/home/mfa");
});
