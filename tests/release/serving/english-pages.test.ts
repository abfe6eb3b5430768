import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addHardSpaces } from "~/i18n/hard-spaces";
import { ALL_CODE_STEPS, start } from "../../account-steps";
import { ANNA, EWA, freshCustomer, JAN, KRYSTYNA, MARIA, NAMED, TOMASZ } from "../../demo-customers";
import type { HttpAnswer } from "../../http-request";
import { startPortal, wrongCode, type Portal } from "../../portal";
import { ENGLISH_TEXTS, TEXTS } from "../../unit/i18n/every-text";
import { Visitor } from "../../visitor";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.stop());

/** Polish in every language: the names of people and of the insurer. */
const NAMES = ["Tarnea Ubezpieczenia", ...NAMED.map(({ name }) => name)];
/** Parts of a page marked as Polish: the language link, names of policies, text messages. */
const MARKED_AS_POLISH = /<(\w+)[^>]* lang="pl"[^>]*>[\s\S]*?<\/\1>/g;

const DAY =
  "\\d+\\s(January|February|March|April|May|June|July|August|September|October|November|December)\\s\\d{4}";

/** Polish on purpose: text messages, and the name of the language, by which its link is found. */
const POLISH_FOR_ALL = /^(sms:|common:language\.name$)/;

/** The longest piece of each Polish text without placeholders, if it differs from the English. */
const POLISH = TEXTS.filter(({ key }) => !POLISH_FOR_ALL.test(key)).flatMap(({ text }) => {
  const pieces = addHardSpaces(text).split(/\{\{[^}]+\}\}/);
  const longest = pieces.reduce((one, other) => (other.length > one.length ? other : one)).trim();
  return longest.length < 5 || ENGLISH_TEXTS.some((english) => english.text.includes(longest))
    ? []
    : [longest];
});

/** Fails unless the answer is an English page with no Polish in its text or in the data for scripts. */
function expectEnglish({ body, status }: HttpAnswer, asked: string): void {
  expect(/<html[^>]*>/.exec(body)?.[0], asked).toBe('<html lang="en">');
  expect(/<title>([^<]*)/.exec(body)?.[1], asked).toMatch(/Customer (sign-in|portal) \| Tarnea/);
  if (status >= 400) expect(/<title>([^<]*)/.exec(body)?.[1], asked).toMatch(/^Error: /);
  const page = NAMES.reduce((text, name) => text.replaceAll(name, ""), body);
  const said = POLISH.filter((text) => page.replace(MARKED_AS_POLISH, "").includes(text));
  expect(said, asked).toEqual([]);
  const visible = page.replace(/<(script|style)[\s\S]*?<\/\1>/g, "").replace(MARKED_AS_POLISH, "");
  expect(visible.match(/.{0,30}[ąćęłńóśźż].{0,30}/gi), asked).toBeNull();
}

/** A visitor who has chosen English and accepted cookies. */
async function reader(): Promise<Visitor> {
  const visitor = new Visitor(portal);
  await visitor.accept();
  await chooseEnglish(visitor);
  return visitor;
}

async function chooseEnglish(visitor: Visitor): Promise<void> {
  expect((await visitor.get("/language/en")).status).toBe(303);
}

test("there are enough Polish texts to look for", () => {
  expect(POLISH.length).toBeGreaterThan(200);
  expect(POLISH).toContain("Nazwa użytkownika");
});

describe("visitors who chose English read no Polish", () => {
  test("before consent to cookies and without any cookies", async () => {
    const visitor = new Visitor(portal);
    await chooseEnglish(visitor);
    for (const path of ["/home/cookies", "/home/cookies?blocked", "/service", "/home/logout", "/demo/sms"])
      expectEnglish(await visitor.get(path), path);
    visitor.cookies.clear();
    expect((await visitor.get("/home/cookies")).body.includes('<html lang="pl">')).toBe(true);
  });

  test.each([
    ["GET", "/home"],
    ["GET", "/home/register"],
    ["GET", "/home/reset-password-init"],
    ["GET", "/home/remind-login-init"],
    ["GET", "/home/logout"],
    ["GET", "/service"],
    ["GET", "/demo/sms"],
    ["GET", "/there-is-no-such-page"],
    ["POST", "/home?index"],
    ["POST", "/home/register"],
    ["POST", "/home/reset-password-init"],
    ["POST", "/home/remind-login-init"],
    ["POST", "/service"],
    // Rejected by the front door, before the router.
    ["PUT", "/home"],
    ["GET", "/home?_data=root"],
  ])("signed out: %s %s", async (method, path) => {
    const visitor = await reader();
    const answer = method === "POST" ? await visitor.post(path) : await visitor.send(method, path);
    expectEnglish(answer, `${method} ${path}`);
  });

  test.each([MARIA, TOMASZ, EWA, { ...ANNA, password: "Zle-Haslo-2026!" }, { ...JAN, username: "nobody" }])(
    "when sign-in is refused to $username",
    async (customer) => {
      const answer = await (await reader()).login(customer);
      expect(answer.status).toBe(400);
      expectEnglish(answer, customer.username);
    },
  );

  test("when a lock is timed, and when the account already exists", async () => {
    const visitor = await reader();
    const wrong = { username: "nobody.at.all", password: "Zle-Haslo-2026!" };
    for (let attempt = 1; attempt <= 5; attempt += 1) await visitor.login(wrong);
    const locked = await visitor.login(wrong);
    expect(locked.body.includes("Try again in 15\u00a0minutes")).toBe(true);
    expectEnglish(locked, "106");
    expectEnglish(await visitor.post("/home/register", { policyNo: ANNA.policyNo, pid: ANNA.pid }), "014");
  });

  test("while signing in and in the customer area", async () => {
    const visitor = await reader();
    await visitor.begin(ANNA);
    expectEnglish(await visitor.get("/home/mfa"), "mfa");
    expectEnglish(await visitor.post("/home/mfa", { intent: "confirm" }), "no code");
    const code = await portal.lastCode(ANNA.phone);
    expectEnglish(await visitor.confirm(wrongCode(code)), "007");
    expect((await visitor.confirm(code, true)).header("Location")).toBe("/cp");
    for (const path of [
      "/cp",
      "/cp/profile",
      "/cp/contact",
      "/cp/there-is-no-such-page",
      "/home/confirm-login",
      "/home/switch-account",
    ])
      expectEnglish(await visitor.get(path), path);
    const { body } = await visitor.get("/cp/profile");
    expect(new RegExp(`Trusted from ${DAY} to\\s${DAY}`).test(body)).toBe(true);
    for (const result of ["create", "change"]) {
      const path = `/cp/profile?document-password-save-result=${result}`;
      expectEnglish(await visitor.get(path), path);
    }
    expectEnglish(await visitor.post("/cp/contact"), "405");
    await visitor.post("/cp/profile", { intent: "revoke-all" });
    expectEnglish(await visitor.get("/cp/profile"), "revoked");
  });

  test("when the username has been changed too often", async () => {
    const visitor = await reader();
    await visitor.signIn(JAN);
    expectEnglish(await visitor.post("/home/change-login", { intent: "send-code" }), "015");
  });

  test.each(ALL_CODE_STEPS)("at the step %s: asked, refused, blocked, passed", async (_name, step) => {
    const customer = freshCustomer(ALL_CODE_STEPS.findIndex(([, each]) => each === step) + 1);
    const { visitor, phone } = await step.arrive(portal, customer);
    await chooseEnglish(visitor);
    const tries = { intent: "confirm", ...step.fields() };
    expectEnglish(await visitor.get(step.path), "asked");
    expectEnglish(await visitor.post(step.path, { intent: "confirm" }), "nothing typed");
    expectEnglish(await visitor.post(step.path, { ...tries, authorizationCode: "x" }), "no digits");
    expectEnglish(
      await visitor.post(step.path, { ...tries, newPassword: "é", password: "é ", newUsername: "!" }),
      "rules",
    );
    const code = await portal.lastCode(phone);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const wrong = { ...tries, authorizationCode: wrongCode(code, attempt) };
      expectEnglish(await visitor.post(step.path, wrong), `wrong code ${attempt}`);
    }
    await start(visitor, step.path, { intent: "send-code" });
    expectEnglish(await visitor.get(step.path), "sent again");
    await start(visitor, step.path, { ...tries, authorizationCode: await portal.lastCode(phone) });
    expectEnglish(await visitor.get(step.next), "done");
  });

  test("a journey begun in one language continues in the other", async () => {
    const visitor = await reader();
    await start(visitor, "/home/register", { policyNo: KRYSTYNA.policyNo, pid: KRYSTYNA.pid });
    const chosen = await visitor.get("/language/pl?back=%2Fhome%2Fset-password");
    expect(chosen.header("Location")).toBe("/home/set-password");
    const { status, body } = await visitor.get("/home/set-password");
    expect([status, body.includes("Ustaw hasło do portalu")]).toEqual([200, true]);
  });
});
