import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANNA, EWA, MARIA, PIOTR, TOMASZ, freshCustomer } from "../demo-customers";
import type { HttpAnswer } from "../http-request";
import { customersOf, FIRST_PASSWORD } from "../new-account";
import { startPortal, type Portal } from "../portal";
import { IS_RELEASE } from "../release-run";
import { Visitor } from "../visitor";

/** Everything an attacker can learn from an answer, without the parts that always differ. */
interface Heard {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: readonly string[];
}

type Fields = Readonly<Record<string, string>>;
type Step = readonly [method: "GET" | "POST", path: string, fields?: Fields];

const customer = customersOf();

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.stop());

/** Goes through the steps in a new browser and records each answer, which may repeat only the typed values. */
async function walk(steps: readonly Step[], typed: Fields): Promise<readonly Heard[]> {
  const visitor = new Visitor(portal);
  await visitor.accept();
  const heard: Heard[] = [];
  for (const [method, path, fields = {}] of steps) {
    const answer = await (method === "GET" ? visitor.get(path) : visitor.post(path, fields));
    heard.push(listen(answer, typed));
  }
  return heard;
}

/** Cookies keep names and attributes; values are sealed or random, so only their length counts. */
function listen({ status, body, headerNames, lines }: HttpAnswer, typed: Fields): Heard {
  const changing = [
    "date",
    "x-request-id",
    "set-cookie",
    "content-security-policy",
    "content-length",
    "etag",
  ];
  const headers = [...new Set(headerNames)].flatMap((name) =>
    lines(name).map((line) => {
      if (name === "set-cookie") return `set-cookie: ${line.replace(/=[^;]*/, "=")}`;
      return changing.includes(name) ? name : `${name}: ${line}`;
    }),
  );
  return {
    status,
    headers,
    body: withoutTyped(body.replaceAll(lines("X-Request-Id").join(), "id"), typed),
  };
}

/** A name that needs no escaping in HTML. */
const PLAIN = /^[\w.-]{5,}$/;
/** The words that a new password had better not contain: the username, among others. */
const PERSONAL_WORDS = /&quot;personalWords&quot;:\[[^\]]*\]/g;
const TIME = /\b\d?\d:\d\d\b/g;

/** The body without the typed values and the time of day, split into lines so that a difference is easy to see. */
function withoutTyped(body: string, typed: Fields): readonly string[] {
  const values = Object.values(typed);
  const page = body
    .replace(/<style[\s\S]*?<\/style>/, "")
    .replace(/ value="[^"]*"/g, "")
    // The visible rest of a typed identifier: its last two characters, shown and read aloud.
    .replace(/aria-label="[^"]*"([^>]*>)(•+)\w\w/g, "$1$2");
  const heard = values.every((value) => PLAIN.test(value))
    ? values.reduce((text, value) => text.replaceAll(value, ""), page)
    : page.replace(PERSONAL_WORDS, "");
  return heard.replace(TIME, "time").split(/(?=<)|(?<=,)/);
}

const wrong = (nth: number) => ({ authorizationCode: `00000${nth}` });
const password = { newPassword: FIRST_PASSWORD, newPasswordRepeat: FIRST_PASSWORD };
const SIX = [1, 2, 3, 4, 5, 6] as const;

/** Steps from the first screen to a blocked code, a new code, and one wrong try at the new code. */
function flow(first: string, second: string, typed: Fields, more: Fields): readonly Step[] {
  return [
    ["POST", first, typed],
    ["GET", second],
    ...SIX.map((nth): Step => ["POST", second, { ...wrong(nth), ...more }]),
    ["POST", second, { intent: "send-code" }],
    ["GET", second],
    ["POST", second, { ...wrong(1), ...more }],
    ["POST", second, { intent: "back" }],
    ["GET", first],
  ];
}

const NOBODY = "nikt.taki.tu";

describe("known and unknown details get the same answers: status, headers and body, step by step", () => {
  const reset = (username: string) =>
    walk(flow("/home/reset-password-init", "/home/reset-password-submit", { username }, password), {
      username,
    });

  test("[S3] a reset for an existing username, up to the 016 and a new code", async () => {
    const known = await reset(PIOTR.username);
    expect(known.map(({ status }) => status)).toEqual([
      303, 200, 400, 400, 400, 400, 400, 400, 303, 200, 400, 303, 200,
    ]);
    expect(await portal.messagesTo(PIOTR.phone)).toBe(2);
    expect(await reset(NOBODY)).toEqual(known);
  });

  const USERNAMES = [
    ["an expired account", TOMASZ.username],
    ["a locked account", MARIA.username],
    ["a disabled account", EWA.username],
    ["no username at all: a path with a name", "../anna.nowak"],
    ["no username at all: a slash", "anna/nowak"],
    ["no username at all: a query", "anna.nowak?x=1#y"],
    ["no username at all: a space", "anna nowak"],
    ["no username at all: an emoji", "anna.nowak💥"],
    ["no username at all: half a kilobyte", "a".repeat(512)],
  ] as const;

  // Accounts of each state and one odd name; before a release all.
  test.each(IS_RELEASE ? USERNAMES : USERNAMES.slice(0, 4))("[S3] a reset for %s", async (_, username) => {
    // An unknown username, as plain or as odd as the real one; each has its own tries.
    const nobody = `${NOBODY}${PLAIN.test(username) ? "." : " "}${username.slice(0, 20)}`;
    const [known, unknown] = await Promise.all([reset(username), reset(nobody)]);
    expect(known).toEqual(unknown);
  });

  test("[S3] a reminder for an existing policy number", async () => {
    const remind = (policyNo: string) =>
      walk(flow("/home/remind-login-init", "/home/remind-login-submit", { policyNo }, {}), { policyNo });
    const known = await remind(ANNA.policyNo);
    expect(known.map(({ status }) => status)).toEqual([
      303, 200, 400, 400, 400, 400, 400, 400, 303, 200, 400, 303, 200,
    ]);
    // The second one has not registered yet: there is no username to show.
    const others = ["POL-999999", freshCustomer(50).policyNo];
    for (const heard of await Promise.all(others.map(remind))) expect(heard).toEqual(known);
  });

  test("[S4] a registration whose number and identifier match, or don't", async () => {
    const register = (typed: { readonly policyNo: string; readonly pid: string }) =>
      walk(flow("/home/register", "/home/set-password", typed, password), typed);
    const { policyNo, pid } = customer();
    const known = await register({ policyNo, pid });
    expect(known.map(({ status }) => status)).toEqual([
      303, 200, 400, 400, 400, 400, 400, 400, 303, 200, 400, 303, 200,
    ]);
    const others = [
      { policyNo, pid: "ABC123456" },
      { policyNo: "POL-999999", pid },
      { policyNo: ANNA.policyNo, pid: PIOTR.pid },
    ];
    for (const heard of await Promise.all(others.map(register))) expect(heard).toEqual(known);
  });

  test("[S1] a sign-in with a wrong password, for accounts in every state and unknown usernames, up to the 106", async () => {
    const signIn = (username: string) => {
      const steps = SIX.map((nth): Step => [
        "POST",
        "/home?index",
        { username, password: `Zle-Haslo-${nth}!` },
      ]);
      return walk(steps, { username });
    };
    const unknown = await signIn(NOBODY);
    expect(unknown.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
    const isLocked = unknown.map(({ body }) => body.join("").includes("Konto zablokowane"));
    expect(isLocked).toEqual([false, false, false, false, true, true]);
    const accounts = [ANNA, TOMASZ, MARIA, EWA].map(({ username }) => signIn(username));
    for (const heard of await Promise.all(accounts)) expect(heard).toEqual(unknown);
  });
});

test("after all of this the portal has logged no error", () => {
  expect(portal.log()).not.toMatch(/"level":"error"/);
});
