import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addHardSpaces } from "~/i18n/hard-spaces";
import { SCREEN_STATES } from "~/demo/screens/all";
import { start } from "../../account-steps";
import { KRYSTYNA, NAMED } from "../../demo-customers";
import type { HttpAnswer } from "../../http-request";
import { startPortal, type Portal } from "../../portal";
import { ENGLISH_TEXTS, TEXTS } from "../../unit/i18n/every-text";
import { Visitor } from "../../visitor";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.stop());

/** Polish in every language: the names of people, policies and the insurer, a transfer's title, and a letter that a customer typed. */
const NAMES = [
  "Tarnea Ubezpieczenia",
  "Składka Konstantynopolitańczykowianeczka",
  "Konstantynopolitańczykowianeczka",
  "Brzęczyszczykie",
  "odpowiedzialności cywilnej posiadaczy pojazdów mechanicznych wraz z autocasco i pomocą",
  "“ż”",
  ...NAMED.map(({ name }) => name),
];
/** Parts of a page marked as Polish: the language link, names of policies, text messages. */
const MARKED_AS_POLISH = /<(\w+)[^>]* lang="pl"[^>]*>[\s\S]*?<\/\1>/g;

/** Polish on purpose: text messages, the name of the language, by which its link is found, and kept names of factors. */
const POLISH_FOR_ALL = /^(sms:|common:language\.name$|factors:(app|passkey)\.name$)/;

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

  test.each(SCREEN_STATES.map(({ id }) => `/demo/gallery/${id}`))("%s", async (path) => {
    expectEnglish(await (await reader()).get(path), path);
  });

  test.each([
    ["GET", "/demo/sms"],
    ["GET", "/there-is-no-such-page"],
    ["POST", "/service"],
    // Rejected by the front door, before the router.
    ["PUT", "/home"],
    ["GET", "/home?_data=root"],
  ])("outside of screens: %s %s", async (method, path) => {
    const visitor = await reader();
    const answer = method === "POST" ? await visitor.post(path) : await visitor.send(method, path);
    expectEnglish(answer, `${method} ${path}`);
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
