import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANNA } from "../demo-customers";
import { startPortal, type Portal } from "../portal";
import { FROM_SCRIPT, Visitor } from "../visitor";
import { expectDecent, expectNoEcho, expectNotRun } from "./decency";
import { hostileBodies } from "./hostile-forms";

const PASSWORD = "Kanarek-Haslo-77!";
const CODE = "Kanarek-Kod-555";
const SECRETS = [PASSWORD, CODE, ANNA.password];

let portal: Portal;
let signedOut: Visitor;
let pending: Visitor;

beforeAll(async () => {
  // Limits aren't tested here.
  portal = await startPortal({
    env: {
      LOG_LEVEL: "debug",
      LIMIT_PASSWORD_TRIES: "100000",
      LIMIT_CODE_TRIES: "100000",
      LIMIT_CODE_TRIES_PER_DAY: "100000",
      LIMIT_ADDRESS_SIGN_INS_PER_10_MINUTES: "100000",
      LIMIT_ADDRESS_CODES_PER_10_MINUTES: "100000",
      LIMIT_ADDRESS_CONFIRMS_PER_10_MINUTES: "100000",
    },
  });
  signedOut = new Visitor(portal);
  await signedOut.accept();
  pending = new Visitor(portal);
  await pending.begin(ANNA);
});
afterAll(() => portal.stop());

/** The portal's forms, with what a person would type. */
const FORMS = [
  {
    path: "/home",
    query: "?index",
    fields: { username: "kanarek.nikt", password: encodeURIComponent(PASSWORD) },
    who: () => signedOut,
  },
  {
    path: "/home/mfa",
    query: "",
    fields: { authorizationCode: CODE, trustDevice: "Y", intent: "confirm" },
    who: () => pending,
  },
  {
    path: "/home/register",
    query: "",
    fields: { policyNo: "KAN-100", pid: "KANAREK77" },
    who: () => signedOut,
  },
  {
    path: "/home/reset-password-init",
    query: "",
    fields: { username: "kanarek.nikt" },
    who: () => signedOut,
  },
  { path: "/home/remind-login-init", query: "", fields: { policyNo: "KAN-100" }, who: () => signedOut },
  { path: "/home/cookies", query: "", fields: {}, who: () => new Visitor(portal) },
  { path: "/home/logout", query: "", fields: { intent: "to-login" }, who: () => signedOut },
] as const;

describe.each(FORMS)("[S71, S76] the form of $path", ({ path, query, fields, who }) => {
  const nth = FORMS.findIndex((form) => form.path === path);
  test.each(hostileBodies(fields, nth))("answers in its own words: $name", async ({ name, body }) => {
    for (const headers of [{}, FROM_SCRIPT]) {
      const answer = await who()
        .twin()
        .postBody(path + query, body, { headers });
      expectDecent(answer, `${path} (${name})`);
      expectNoEcho(answer, SECRETS, `${path} (${name})`);
      expectNotRun(answer);
    }
  });
});

test("[S93] the process has written nothing that was typed, sent or stored", async () => {
  const sent = await portal.outbox();
  const codes = sent.flatMap(({ text }) => /\d{6}/.exec(text) ?? []);
  expect(codes.length).toBeGreaterThan(0);
  const log = portal.log();
  for (const secret of [
    ...SECRETS,
    ...pending.cookies.values(),
    "kanarek.nikt",
    ANNA.username,
    ANNA.phone,
    ANNA.name,
    ANNA.pid,
  ]) {
    if (secret !== "true") expect(log.includes(secret), secret).toBe(false);
  }
  for (const code of codes) expect(log).not.toMatch(new RegExp(`\\b${code}\\b`));
  expect(log).not.toMatch(/"level":"error"/);
});
