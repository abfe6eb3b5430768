import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANNA, PIOTR, type RegisteredCustomer } from "../demo-customers";
import { appCode } from "../factor-steps";
import { FROM_SCRIPT, Visitor } from "../visitor";
import { startPortal, type Portal } from "../portal";
import { expectDecent, expectNoEcho, expectNotRun } from "./decency";
import { hostileBodies } from "./hostile-forms";

const FACTORS = "/cp/api/factors";
const LIST = "/cp/profile#factors";
const CODE = "Kanarek-Kod-555";
const RECOVERY_CODE = "KANA-REKK-ODOD-ZYSK-IWAN-IA77";
const SECRETS = [CODE, RECOVERY_CODE];

let portal: Portal;
/** ANNA, who has an app. */
let owner: Visitor;
let app: { readonly id: string; readonly secret: string };
/** ANNA in a browser where only the password was right. */
let pending: Visitor;
/** PIOTR, who has no factor and is about to add an app. */
let adding: Visitor;

beforeAll(async () => {
  const many = "100000";
  portal = await startPortal({
    env: {
      LOG_LEVEL: "debug",
      LIMIT_CODE_TRIES: many,
      LIMIT_CODE_TRIES_PER_DAY: many,
      LIMIT_FACTOR_TRIES: many,
      LIMIT_FACTOR_WRONG_IN_ROW: many,
      LIMIT_SMS_KNOWN_PER_10_MINUTES: many,
      LIMIT_SMS_KNOWN_PER_DAY: many,
      LIMIT_ADDRESS_CODES_PER_10_MINUTES: many,
      LIMIT_ADDRESS_CONFIRMS_PER_10_MINUTES: many,
    },
  });
  owner = new Visitor(portal);
  await owner.signIn(ANNA);
  app = await prepare(owner, ANNA);
  await done(owner.call("PUT", `${FACTORS}/app/confirm`, { id: app.id, code: appCode(app, Date.now()) }));
  pending = new Visitor(portal);
  await pending.begin(ANNA);
  adding = new Visitor(portal);
  await adding.signIn(PIOTR);
  await sendCode(adding, "/home/add-app");
  const authorizationCode = await portal.lastCode(PIOTR.phone);
  const added = await adding.post("/home/add-app", { intent: "confirm", method: "sms", authorizationCode });
  expect(added.header("Location")).toBe("/home/add-app");
});
afterAll(() => portal.stop());

async function done(answer: ReturnType<Visitor["call"]>): Promise<string> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`answered ${status} ${body}`);
  return body;
}

async function prepare(visitor: Visitor, { phone }: RegisteredCustomer): Promise<typeof app> {
  await done(visitor.call("PUT", `${FACTORS}/init`, {}));
  const proof = { authorizationCode: await portal.lastCode(phone) };
  return JSON.parse(await done(visitor.call("PUT", `${FACTORS}/app/prepare`, proof))) as typeof app;
}

async function sendCode(visitor: Visitor, path: string): Promise<void> {
  const sent = await visitor.post(path, { intent: "send-code" });
  expect([path, sent.status]).toEqual([path, 303]);
}

/** Forms of second factors of each kind, with what a person would type; generated requests reach the others. */
const FORMS = [
  {
    name: "a sign-in by a recovery code",
    path: () => "/home/mfa?method=recovery",
    fields: { authorizationCode: RECOVERY_CODE, method: "recovery", intent: "confirm" },
    who: () => pending,
  },
  {
    name: "the code of a new app",
    path: () => "/home/add-app",
    fields: { id: "nie-ma-takiej", code: CODE, name: "Telefon", intent: "confirm" },
    who: () => adding,
  },
  {
    name: "a sign-in by a passkey",
    path: () => "/home/mfa?method=passkey",
    fields: { response: CODE, method: "passkey", trustDevice: "Y", intent: "confirm" },
    who: () => pending,
  },
  {
    name: "the removal of an app",
    path: () => `/home/remove-factor?id=${app.id}`,
    fields: { authorizationCode: CODE, method: "app", id: "inna", intent: "confirm" },
    who: () => owner,
  },
] as const;

describe.each(FORMS)("[S71, S76] the form of $name", ({ name, path, fields, who }) => {
  const nth = FORMS.findIndex((form) => form.name === name);
  test.each(hostileBodies(fields, 7 + nth))(
    "answers in its own words: $name",
    async ({ name: what, body }) => {
      for (const headers of [{}, FROM_SCRIPT]) {
        const answer = await who().twin().postBody(path(), body, { headers });
        expectDecent(answer, `${name} (${what})`);
        expectNoEcho(answer, SECRETS, `${name} (${what})`);
        expectNotRun(answer);
      }
    },
  );
});

const SCREENS = ["/home/add-app", "/home/recovery-code", "/home/sms-at-sign-in"];
const NO_METHODS = [
  "passkey",
  "",
  "__proto__",
  "%00",
  "a".repeat(300),
  encodeURIComponent('"><script>alert(1)</script>'),
];

test.each(NO_METHODS)(
  "[S71] ?method=%s is ignored on every screen, and nothing is sent for it",
  async (method) => {
    const sent = (await portal.outbox()).length;
    const visits: readonly [Visitor, string][] = [
      [pending, "/home/mfa"],
      ...[...SCREENS, `/home/remove-factor?id=${app.id}`].map((path): [Visitor, string] => [owner, path]),
    ];
    for (const [visitor, path] of visits) {
      const address = `${path}${path.includes("?") ? "&" : "?"}method=${method}`;
      const answer = await visitor.twin().get(address);
      expectDecent(answer, address);
      expectNotRun(answer);
      expect([path, answer.status]).toEqual([path, 200]);
    }
    expect(await portal.outbox()).toHaveLength(sent);
  },
);

test.each(["", "?id=nie-ma", "?id=%00", "?id=a&id=b"])(
  "[S48] /home/remove-factor%s is no factor of the customer's: a page says so, and no form removes one",
  async (query) => {
    const path = `/home/remove-factor${query}`;
    expect((await owner.twin().get(path)).status).toBe(404);
    const visitor = owner.twin();
    const sent = (await portal.outbox()).length;
    for (const fields of [{}, { intent: "send-code" }, { intent: "confirm", authorizationCode: "123456" }]) {
      const answer = await visitor.post(path, fields);
      expectDecent(answer, path);
      expect(answer.status).toBe(404);
    }
    expect(await portal.outbox()).toHaveLength(sent);
    expect((await factorsOf(owner)).length).toBe(1);
  },
);

test("[S48] somebody else's app is answered like one that doesn't exist, and stays", async () => {
  const path = `/home/remove-factor?id=${app.id}`;
  expect((await adding.twin().get(path)).status).toBe(404);
  const stranger = adding.twin();
  await done(stranger.call("PUT", `${FACTORS}/init`, {}));
  const authorizationCode = await portal.lastCode(PIOTR.phone);
  const answer = await stranger.post(path, { intent: "confirm", method: "sms", authorizationCode });
  expectDecent(answer, path);
  expect(answer.status).toBe(404);
  expect((await factorsOf(owner)).length).toBe(1);
});

test("a right code doesn't switch off the SMS of a customer without a factor", async () => {
  const path = "/home/sms-at-sign-in";
  const visitor = adding.twin();
  await done(visitor.call("PUT", `${FACTORS}/init`, {}));
  const authorizationCode = await portal.lastCode(PIOTR.phone);
  for (const address of [path, `${path}?on=false`, `${path}?on=x`])
    expect([address, (await visitor.post(address, { method: "sms", authorizationCode })).status]).toEqual([
      address,
      404,
    ]);
  expect(JSON.parse((await visitor.call("GET", FACTORS)).body)).toMatchObject({ factors: [], sms: true });
});

test("a screen whose flow another tab has replaced begins again, and takes no code of the other", async () => {
  const tab = adding.twin();
  await sendCode(tab, "/home/recovery-code");
  const confirmed = await tab.post("/home/add-app", { intent: "confirm", id: "x", code: "123456", name: "" });
  expect([confirmed.status, confirmed.header("Location")]).toEqual([303, "/home/add-app"]);
  const page = await tab.get("/home/add-app");
  expectDecent(page, "add-app after another tab");
  expect(page.body).not.toContain("otpauth:");
  expect((await tab.post("/home/add-app", { intent: "back" })).header("Location")).toBe(LIST);
});

test("a doubled submit switches the SMS once, and both are told so", async () => {
  const page = await owner.twin().get("/home/sms-at-sign-in");
  expect(page.body).toContain('action="/home/sms-at-sign-in?on=false"');
  const fields = { method: "app", authorizationCode: appCode(app, Date.now(), 1) };
  for (const visitor of [owner.twin(), owner.twin()]) {
    const answer = await visitor.post("/home/sms-at-sign-in?on=false", fields);
    expect(answer.header("Location")).toBe("/cp/profile?factor-save-result=sms#factors");
  }
  expect(JSON.parse((await owner.call("GET", FACTORS)).body)).toMatchObject({ sms: false });
});

test("[S93] the process has logged no secret, and no error", () => {
  const log = portal.log();
  for (const secret of [...SECRETS, app.secret]) expect(log.includes(secret)).toBe(false);
  expect(log).not.toMatch(/"level":"error"/);
});

async function factorsOf(visitor: Visitor): Promise<readonly unknown[]> {
  const { body } = await visitor.call("GET", FACTORS);
  return (JSON.parse(body) as { factors: unknown[] }).factors;
}
