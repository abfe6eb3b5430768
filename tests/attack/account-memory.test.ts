import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { customersOf, FIRST_PASSWORD } from "../new-account";
import { startPortal, wrongCode, type Portal } from "../portal";
import { IS_RELEASE } from "../release-run";
import { Visitor } from "../visitor";
import { readPage } from "./account-page";
import { ALL_CODE_STEPS, CODE_STEPS, type CodeStep } from "../account-steps";
import { newCustomer, sharedPortal } from "../shared-portal";

const STEP_LOST = "Ten krok wygasł. Zacznij jeszcze raz – to zajmie chwilę.";
const SESSION_ENDED = "Sesja wygasła. Zaloguj się ponownie.";

const portal = sharedPortal();

async function newVisitor(at = portal): Promise<Visitor> {
  const visitor = new Visitor(at);
  await visitor.accept();
  return visitor;
}

const page = async (visitor: Visitor, path: string) => readPage((await visitor.get(path)).body);
const signedOutSteps: readonly (readonly [string, CodeStep])[] = ALL_CODE_STEPS.filter(
  ([, { first }]) => first !== undefined,
);
const signedInSteps: readonly (readonly [string, CodeStep])[] = ALL_CODE_STEPS.filter(
  ([, { first }]) => first === undefined,
);
/** What one gate does for all steps is seen at one of them; before a release at each. */
const oneOf = <Step>(steps: readonly Step[]) => (IS_RELEASE ? steps : steps.slice(0, 1));

test("[S53] fields too long for a cookie make the journey start again, and no head that a proxy would refuse", async () => {
  const visitor = await newVisitor();
  const sent = await visitor.post("/home/register", { policyNo: "ﷺ".repeat(4000), pid: "é".repeat(1000) });
  expect([sent.status, sent.header("Location")]).toEqual([303, "/home/set-password"]);
  for (const line of sent.lines("Set-Cookie")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(4096);
  expect((await visitor.get("/home/set-password")).header("Location")).toBe("/home/register");
});

// Where they lead when they are only opened: forced-browsing.test.ts.
describe("[S39] a journey opened in the middle leads to its first screen", () => {
  test.each(oneOf(signedOutSteps))(
    "%s, sent, says there once that the step is over",
    async (_, { path, first = "" }) => {
      const visitor = await newVisitor();
      const fields = { authorizationCode: "123456", username: "anna.nowak", password: FIRST_PASSWORD };
      const sent = await visitor.post(path, fields);
      expect([sent.status, sent.header("Location")]).toEqual([303, first]);
      expect((await page(visitor, first)).says(STEP_LOST)).toBe(true);
      expect((await page(visitor, first)).says(STEP_LOST)).toBe(false);
    },
  );

  test.each(oneOf(signedOutSteps))(
    "%s does not open with another journey's cookie",
    async (name, { path, first }) => {
      const other = name === "set-password" ? CODE_STEPS["remind-login-submit"] : CODE_STEPS["set-password"];
      const { visitor } = await other.arrive(portal, newCustomer());
      expect((await visitor.get(path)).header("Location")).toBe(first);
    },
  );

  test.each(oneOf(signedInSteps))(
    "[F39] %s opened without a code offers to send one; its fields, sent all the same, are answered",
    async (_, { path, arrive, fields }) => {
      const { visitor, phone } = await arrive(portal, newCustomer());
      const code = await portal.lastCode(phone);
      visitor.cookies.delete("flow");
      const names = ["authorizationCode", ...Object.keys(fields())];
      const { button, has } = await page(visitor, path);
      expect([names.filter(has), button("send-code")]).toEqual([[], "Wyślij kod autoryzacyjny"]);
      const refused = await visitor.post(path, { authorizationCode: wrongCode(code), ...fields() });
      expect([refused.status, names.filter(readPage(refused.body).has)]).toEqual([400, names]);
      const done = await visitor.post(path, { authorizationCode: code, ...fields() });
      expect(done.status).toBe(303);
    },
  );
});

// unit/visit's flow.test.ts has more.
describe("a flow cookie that the portal did not write is dropped without a word", () => {
  test("in a signed-out journey", async () => {
    const { visitor } = await CODE_STEPS["set-password"].arrive(portal, newCustomer());
    const real = visitor.cookies.get("flow") ?? "";
    expect((await visitor.get("/home/set-password")).status).toBe(200);
    for (const value of ["", `${real.slice(0, -8)}AAAAAAAA`, "%C5%BC%00"]) {
      const twin = visitor.twin();
      twin.cookies.set("flow", value);
      const opened = await twin.get("/home/set-password");
      expect([value, opened.status, opened.header("Location")]).toEqual([value, 302, "/home/register"]);
      // The flow is gone, and the journey begins again.
      expect([value, twin.cookies.has("flow")]).toEqual([value, false]);
      expect((await page(twin, "/home/register")).value("policyNo")).toBe("");
    }
  });

  test.each(oneOf(signedOutSteps))(
    "[S113] copied from another browser, at %s",
    async (_, { path, arrive, first }) => {
      const { visitor } = await arrive(portal, newCustomer());
      const thief = await newVisitor();
      thief.cookies.set("flow", visitor.cookies.get("flow") ?? "");
      expect((await thief.get(path)).header("Location")).toBe(first);
      expect((await visitor.get(path)).status).toBe(200);
    },
  );
});

// Both wait for the same three seconds.
describe.concurrent("a step that has expired", () => {
  let shortLived: Portal;
  const another = customersOf();
  beforeAll(async () => {
    // Long enough to reach the step, even on a busy machine.
    shortLived = await startPortal({ env: { LIMIT_FLOW_SECONDS: "3" } });
  });
  afterAll(() => shortLived.stop());

  async function expire(visitor: Visitor, path: string): Promise<void> {
    await expect.poll(async () => (await visitor.twin().get(path)).status).toBe(302);
  }

  test.each(oneOf(signedOutSteps))(
    "%s says so and starts over",
    async (_, { path, first = "", arrive, fields }) => {
      const { visitor, phone } = await arrive(shortLived, another());
      await expire(visitor, path);
      const form = { authorizationCode: await shortLived.lastCode(phone), ...fields() };
      const sent = await visitor.post(path, form);
      expect([sent.status, sent.header("Location")]).toEqual([303, first]);
      expect((await page(visitor, first)).says(STEP_LOST)).toBe(true);
    },
  );

  test("a typed new username is kept, and the code still works", async () => {
    const { path, arrive, fields } = CODE_STEPS["change-login"];
    const { visitor, phone } = await arrive(shortLived, another());
    await expect
      .poll(async () => (await page(visitor.twin(), path)).button("send-code"))
      .toBe("Wyślij kod autoryzacyjny");
    const typed = fields();
    const code = await shortLived.lastCode(phone);
    const refused = await visitor.post(path, { authorizationCode: wrongCode(code), ...typed });
    expect(refused.status).toBe(400);
    expect(readPage(refused.body).value("newUsername")).toBe(typed["newUsername"]);
    const sent = await visitor.post(path, { authorizationCode: code, ...typed });
    expect(sent.header("Location")).toBe("/cp/profile");
  });
});

describe("a session that ends in the middle of a change", () => {
  function endSessions(): void {
    const database = new SqliteConnection(join(portal.dataDir, "portal.db"));
    database.exec("delete from sessions");
    database.close();
  }

  test.each(oneOf(signedInSteps))(
    "[S36] %s: opened or sent, it leads to the start page, which says that the session has ended",
    async (_, step) => {
      const { visitor, phone } = await step.arrive(portal, newCustomer());
      endSessions();
      const windows = [visitor.twin(), visitor.twin(), visitor.twin()] as const;
      const form = { authorizationCode: wrongCode(await portal.lastCode(phone)), ...step.fields() };
      const answers = [
        await windows[0].get(step.path),
        await windows[1].post(step.path, form),
        await windows[2].post(step.path, { intent: "send-code" }),
      ];
      expect(answers.map(({ header }) => header("Location"))).toEqual(["/home", "/home", "/home"]);
      for (const window of windows) expect((await page(window, "/home")).says(SESSION_ENDED)).toBe(true);
    },
  );
});
