import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CALLS } from "~/contract/calls.server";
import { ANNA } from "../demo-customers";
import type { HttpAnswer } from "../http-request";
import { metBy } from "../pairs";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";
import { expectDecent, expectNoEcho } from "./decency";

const PASSWORD = "Kanarek-Haslo-77!";
const CODE = "Kanarek-Kod-555";
const SECRETS = [PASSWORD, CODE];

let portal: Portal;
let nobody: Visitor;
let pending: Visitor;
let signedIn: Visitor;

beforeAll(async () => {
  const many = "100000";
  portal = await startPortal({
    env: {
      LOG_LEVEL: "debug",
      LIMIT_PASSWORD_TRIES: many,
      LIMIT_CODE_TRIES: many,
      LIMIT_CODE_TRIES_PER_DAY: many,
      LIMIT_SMS_KNOWN_PER_10_MINUTES: many,
      LIMIT_SMS_KNOWN_PER_DAY: many,
    },
  });
  nobody = new Visitor(portal);
  pending = new Visitor(portal);
  await pending.begin(ANNA);
  signedIn = new Visitor(portal);
  await signedIn.signIn(ANNA);
});
afterAll(() => portal.stop());

const WITH_BODY = Object.entries(CALLS)
  .filter(([, { method }]) => method === "POST" || method === "PUT")
  .map(([name, { method, path }]) => ({
    name,
    method,
    // A path with a username gets an unknown one.
    path: path.replace(/\{mode\}/, "create").replace(/\{\w+\}/, "kanarek.nikt"),
  }));

/** Bodies that are JSON, or nearly; generated requests (fuzz.test.ts) have many more. */
const BODIES: Readonly<Record<string, string>> = {
  nothing: "",
  "half an object": '{"username": "a", ',
  "a list": "[]",
  "an object in an object": '{"username": {"a": 1}, "password": {"$gt": ""}, "authorizationCode": {"b": []}}',
  "numbers instead of strings":
    '{"username": 1e400, "password": -0, "authorizationCode": 123456, "policyNo": 1, "pid": 2}',
  "a NUL": '{"username": "a\\u0000", "password": "b\\u0000", "authorizationCode": "\\u0000"}',
  "half a character": '{"username": "\\ud800", "password": "\\udfff", "authorizationCode": "\\ud800"}',
  "a thousand combining marks": JSON.stringify({ username: `a${"\u0301".repeat(1000)}`, password: "b" }),
  "a key twice": `{"username": "a", "username": "b", "password": "c", "password": "${PASSWORD}"}`,
  "a thousand brackets": "[".repeat(1000) + "]".repeat(1000),
  "six thousand unclosed brackets": "[".repeat(6000),
  "four thousand and one characters": JSON.stringify({ username: "a", password: "b".repeat(4001) }),
  "a byte order mark": "\ufeff{}",
  "a secret in every field": JSON.stringify({
    username: "kanarek.nikt",
    password: PASSWORD,
    authorizationCode: CODE,
    authToken: CODE,
    newPassword: PASSWORD,
    deviceName: "x",
    trustDevice: "Y",
  }),
  "second factors that are none":
    '{"method": "__proto__", "id": {"$ne": ""}, "code": ["123456"], "name": "\\u0000", "on": "yes", "response": null}',
  "a response of eight kilobytes": JSON.stringify({
    method: "passkey",
    response: { id: "a".repeat(8 * 1024) },
    deviceName: "x",
    trustDevice: "Y",
  }),
  "a new passkey in cut CBOR": JSON.stringify({
    name: "x",
    response: {
      id: "AAAA",
      rawId: "AAAA",
      type: "public-key",
      clientExtensionResults: {},
      response: { clientDataJSON: "e30", attestationObject: "o2Nmb", transports: ["usb", "kanarek"] },
    },
  }),
  "fields that decide where a message goes":
    '{"phone": "+48500999999", "to": "+48500999999", "resend": "yes", "accountId": 1}',
};

function expectJson(answer: HttpAnswer, asked: string): void {
  expectDecent(answer, asked);
  expectNoEcho(answer, SECRETS, asked);
  if (answer.body === "") return;
  expect(answer.header("Content-Type"), asked).toMatch(/^application\/json/);
  expect(JSON.parse(answer.body), asked).toBeTypeOf("object");
}

const PAIRED = WITH_BODY.map((call, nth) => ({
  ...call,
  meets: <Other>(others: readonly Other[]) => metBy(nth, WITH_BODY.length, others),
}));

describe.each(PAIRED)("[S71, S76] $method $path", ({ name, method, path, meets }) => {
  test.each(meets(Object.entries(BODIES)))("withstands %s", async (what, body) => {
    for (const who of [nobody, pending, signedIn]) {
      // At an IP address there are no passkeys.
      const headers = { "Content-Type": "application/json", Host: `localhost:${portal.port}` };
      const answer = await who.twin().send(method, path, { body, headers });
      expectJson(answer, `${name} (${what})`);
      expect([200, 204, 400, 401, 409, 422, 429]).toContain(answer.status);
    }
  });

  test("[S63] rejects bodies it does not read, and says why", async () => {
    const json = JSON.stringify({ username: "a", password: PASSWORD });
    const REFUSED: readonly [number, Record<string, string>, string][] = [
      [413, { "Content-Type": "application/json" }, " ".repeat(16 * 1024 + 1)],
      [411, { "Content-Type": "application/json", "Transfer-Encoding": "chunked" }, json],
      [415, { "Content-Type": "application/json", "Content-Encoding": "gzip" }, json],
      [415, { "Content-Type": "application/x-www-form-urlencoded" }, `password=${PASSWORD}`],
      [415, { "Content-Type": "application/json; charset=utf-16" }, json],
      [415, {}, json],
    ];
    for (const [status, headers, body] of meets(REFUSED)) {
      const answer = await nobody.twin().send(method, path, { headers, body });
      expect([headers, body.length, answer.status]).toEqual([headers, body.length, status]);
      expectJson(answer, `${name} (${status})`);
    }
  });

  test("[S49] accepts nothing from another site", async () => {
    const json = { "Content-Type": "application/json" };
    const FOREIGN: Record<string, string>[] = [
      { Origin: "https://evil.example" },
      { "Sec-Fetch-Site": "cross-site" },
      { Referer: "https://evil.example/home" },
    ];
    for (const foreign of meets(FOREIGN)) {
      const answer = await signedIn
        .twin()
        .send(method, path, { headers: { ...json, ...foreign }, body: "{}" });
      expect([foreign, answer.status]).toEqual([foreign, 403]);
      expectJson(answer, `${name} from elsewhere`);
    }
  });
});

test("[S61] a known path with the wrong method gets a 405 that names the right one; an unknown path gets a 404", async () => {
  for (const { method, path } of WITH_BODY) {
    for (const other of ["GET", "PUT", "POST", "DELETE"].filter((candidate) => candidate !== method)) {
      const answer = await nobody.twin().send(other, path);
      expect([other, path, answer.status, answer.header("Allow")]).toEqual([other, path, 405, method]);
    }
  }
  for (const path of [
    "/home/api",
    "/home/api/",
    "/home/api/user",
    "/home/api/user/info/",
    "/home/api/%2e%2e/user/info",
  ]) {
    const answer = await signedIn.twin().get(path);
    expect([path, [400, 404]]).toEqual([path, expect.arrayContaining([answer.status])]);
    expectDecent(answer, path);
  }
});

test("[S29] no code has gone to any number but the customer's own", async () => {
  const numbers = new Set((await portal.outbox()).map(({ to }) => to));
  expect([...numbers]).toEqual([ANNA.phone]);
});

test("[S93] the process has written nothing that was sent to it, and logged no error", async () => {
  const log = portal.log();
  const tokens = [pending, signedIn]
    .flatMap(({ cookies }) => [...cookies.values()])
    .filter((value) => value !== "true");
  for (const secret of [
    ...SECRETS,
    ...tokens,
    "kanarek.nikt",
    ANNA.username,
    ANNA.password,
    ANNA.phone,
    ANNA.name,
  ])
    expect(log.includes(secret)).toBe(false);
  for (const { text } of await portal.outbox()) {
    expect(log).not.toMatch(new RegExp(`\\b${/\d{6}/.exec(text)?.[0] ?? "none"}\\b`));
  }
  expect(log).not.toMatch(/"level":"error"/);
});
