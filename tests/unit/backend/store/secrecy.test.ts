import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser, latestCode, wrongCode } from "../../../contract/browser";
import {
  ANNA,
  COMPANY,
  MARIA,
  NAMED,
  PIOTRS_DOCUMENT_PASSWORD,
  freshCustomer,
} from "../../../demo-customers";
import { NOTICES } from "../notices/notice-steps";
import { openTestBackend, type TestBackend } from "../test-backend";

/** Sets a document password, resets a password and registers a customer. */
async function setPasswords(way: TestBackend, browser: Browser, secrets: string[]): Promise<void> {
  const password = "Haslo-Do-Dokumentow-7";
  const newPassword = "Zupelnie-Nowe-Haslo-7";
  await browser.put("/cp/api/doc-pwd/create/init");
  await browser.put("/cp/api/doc-pwd/create/confirm", {
    authToken: await latestCode(way, ANNA.phone),
    password,
  });
  const reset = `/home/api/user/${ANNA.username}/password-reset`;
  await browser.post(`${reset}/init`);
  await browser.post(`${reset}/confirm`, {
    newPassword,
    authorizationCode: await latestCode(way, ANNA.phone),
  });

  const visitor = new Browser(way);
  const { policyNo, pid, phone } = freshCustomer(7);
  await visitor.post("/home/api/user/register/init", { policyNo, pid });
  const authorizationCode = await latestCode(way, phone);
  await visitor.post("/home/api/user/register/confirm", {
    authorizationCode,
    password: newPassword,
    pid,
    policyNo,
  });
  secrets.push(
    password,
    newPassword,
    `#${authorizationCode}`,
    ...browser.cookies.values(),
    ...visitor.cookies.values(),
  );
}

describe("after a day of work", () => {
  let way: TestBackend;
  // Each notice contains "To nie Ty?", and none may be readable.
  const secrets: string[] = [PIOTRS_DOCUMENT_PASSWORD, "To nie Ty?"];

  beforeAll(async () => {
    way = await openTestBackend({ noticeTexts: NOTICES });
    const browser = new Browser(way);
    const typed = "Wpisane-Przez-Pomylke-9";
    await browser.login({ ...ANNA, password: typed });
    await browser.login({ username: "Wpisane-Zamiast-Nazwy-9", password: typed });
    await browser.login(MARIA);
    await browser.login(ANNA);
    const before = browser.cookies.get("session");
    await browser.askForCode();
    const code = await latestCode(way, ANNA.phone);
    await browser.confirm(wrongCode(code));
    await browser.confirm(code, "Y");
    secrets.push(
      typed,
      "Wpisane-Zamiast-Nazwy-9",
      ANNA.password,
      `#${code}`,
      `"${code}"`,
      String(before),
      ...browser.cookies.values(),
    );
    await browser.get("/cp/api/profile");
    await setPasswords(way, browser, secrets);
    await browser.delete("/home/api/session");
  });
  afterAll(() => way.close());

  it("[S96] notices were sent", async () => {
    const told = (await way.outbox()).filter(({ text }) => text.includes("To nie Ty?"));
    expect(told.map(({ to }) => to)).toEqual([ANNA.phone, ANNA.phone, ANNA.phone]);
  });

  it("[S35, S85, S78, S96] nothing on disk but the keys gives away a person, a password, a code or a token", () => {
    const files = readdirSync(way.dataDir).filter((name) => name !== "keys.json");
    expect(files).toContain("portal.db-wal");
    const people = [...NAMED, freshCustomer(7)].flatMap(({ name, pid, phone }) => [
      name,
      pid,
      phone,
      phone.slice(3),
    ]);
    const looked = [...people, "Kowalski Transport", COMPANY.pid, ...secrets];
    for (const file of files) {
      const bytes = readFileSync(join(way.dataDir, file));
      for (const secret of looked.flatMap((text) => [text, text.toLowerCase()])) {
        expect(bytes.includes(secret), `${secret} in ${file}`).toBe(false);
      }
    }
  });

  it("[S93, S96] the log gives away no person, password, code or token", () => {
    const log = way.logged.join("");
    expect(log).toContain("signed-in");
    const people = NAMED.flatMap(({ name, pid, phone }) => [name, pid, phone]);
    for (const secret of [...people, ANNA.username, "203.0.113", ...secrets])
      expect(log).not.toContain(secret);
  });

  it("[S92] the audit events say what happened, in order, and to whom", async () => {
    const rows = await way.query(
      "select event, account_id is not null as known, purpose from audit_events order by id",
    );
    expect(rows).toEqual([
      { event: "password-wrong", known: 1, purpose: null },
      { event: "password-wrong", known: 0, purpose: null },
      { event: "sign-in-refused-by-state", known: 1, purpose: null },
      { event: "password-right", known: 1, purpose: null },
      { event: "code-sent", known: 1, purpose: "login" },
      { event: "code-wrong", known: 1, purpose: "login" },
      { event: "code-right", known: 1, purpose: "login" },
      { event: "signed-in", known: 1, purpose: null },
      { event: "device-trusted", known: 1, purpose: null },
      { event: "code-sent", known: 1, purpose: "documentPassword" },
      { event: "code-right", known: 1, purpose: "documentPassword" },
      { event: "document-password-set", known: 1, purpose: null },
      { event: "code-sent", known: 1, purpose: "password" },
      { event: "code-right", known: 1, purpose: "password" },
      { event: "password-changed", known: 1, purpose: null },
      { event: "code-sent", known: 0, purpose: "register" },
      { event: "code-right", known: 0, purpose: "register" },
      { event: "account-registered", known: 1, purpose: null },
      { event: "signed-in", known: 1, purpose: null },
      { event: "signed-out", known: 1, purpose: null },
    ]);
  });
});
