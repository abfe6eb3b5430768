import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../browsers/until";
import { CODE_STEPS } from "../account-steps";
import { ask, type HttpAnswer } from "../http-request";
import { customersOf, register } from "../new-account";
import { wrongCode } from "../portal";
import { IS_RELEASE } from "../release-run";
import { FROM_SCRIPT, Visitor } from "../visitor";
import { CAN_START, startTopology, type Topology } from "./topology";

/** The faults of the connection between the portals and PostgreSQL. */
const FAULTS = IS_RELEASE ? (["down", "hang"] as const) : (["down"] as const);

describe.runIf(CAN_START)("[S73, S115] the database", () => {
  const customer = customersOf();
  let topology: Topology;
  beforeAll(async () => {
    topology = await startTopology({
      // Shorter than usual, but still far longer than a statement takes on a busy machine.
      env: {
        LIMIT_DATABASE_QUERY_MS: "1500",
        LIMIT_DATABASE_LOCK_MS: "1500",
        LIMIT_DATABASE_CONNECT_MS: "1500",
      },
    });
  });
  afterAll(() => topology.stop());

  const links = () => topology.members.map(({ link }) => link);
  /** The readiness of each portal, asked directly. */
  const readiness = async () =>
    Promise.all(
      topology.members.map(
        async ({ port }) => (await ask({ port, path: "/readyz", headers: { Host: "lb" } })).status,
      ),
    );

  /** Visitors at every kind of step. */
  async function people() {
    const { account, visitor: signedIn } = await register(topology, customer());
    const pending = new Visitor(topology);
    await pending.begin(account);
    const code = await topology.lastCode(account.phone);
    const step = CODE_STEPS["reset-password-submit"];
    const reset = await step.arrive(topology, customer());
    const form = { authorizationCode: await topology.lastCode(reset.phone), ...step.fields() };
    const stranger = new Visitor(topology);
    await stranger.accept();
    return { account, signedIn, pending, code, reset: reset.visitor, form, stranger };
  }

  it.each(FAULTS)(
    "%s: nobody gets in, everybody is told to wait, and afterwards everybody continues where they were",
    async (fault) => {
      const { account, signedIn, pending, code, reset, form, stranger } = await people();
      for (const link of links()) {
        if (fault === "down") link.takeDown();
        else link.hang();
      }

      const wrong = { ...account, password: "Nie-To-Haslo-1" };
      const answers = await Promise.all([
        signedIn.get("/cp"),
        signedIn.twin().get("/cp", { headers: FROM_SCRIPT }),
        signedIn.twin().get("/cp/profile"),
        pending.confirm(wrongCode(code)),
        pending.twin().confirm(code),
        pending.twin().get("/cp"),
        reset.post("/home/reset-password-submit", form),
        stranger.login(wrong),
        stranger.twin().login(account),
      ]);
      for (const answer of answers) expectToWait(answer);
      // Unavailable, not crowded.
      for (const { body } of answers) expect(body).toContain("Portal jest chwilowo niedostępny");
      await until("the portals to say that they are not ready", async () =>
        (await readiness()).every((status) => status === 503),
      );

      for (const link of links()) link.recover();
      await until("the portals to be ready", async () =>
        (await readiness()).every((status) => status === 200),
      );
      expect((await signedIn.get("/cp")).status).toBe(200);
      expect((await pending.get("/cp")).header("Location")).not.toBeUndefined();
      expect((await pending.confirm(code)).header("Location")).toBe("/cp");
      expect((await reset.post("/home/reset-password-submit", form)).header("Location")).toBe("/cp");
      expect((await stranger.login(wrong)).status).toBe(400);
      expect((await stranger.login(account)).header("Location")).toBe("/home/mfa");
    },
  );

  it("restarted: at most one page fails per connection, and the portals need no restart", async () => {
    const { account, signedIn, pending, code } = await people();
    for (const link of links()) link.cut();
    await until("the customer area", async () => (await signedIn.get("/cp")).status === 200);
    await until(
      "the code to be taken",
      async () => (await pending.confirm(code)).header("Location") === "/cp",
    );
    expect((await new Visitor(topology).login(account)).status).not.toBe(500);
    expect(await readiness()).toEqual([200, 200]);
  });
});

/** Expects the portal's own page: it gave up before nginx did. */
function expectToWait(answer: HttpAnswer): void {
  expect([answer.status, answer.header("Location")]).toEqual([503, undefined]);
  expect(Number(answer.header("Retry-After"))).toBeGreaterThan(0);
  expect(answer.lines("Set-Cookie").filter((line) => line.includes("session="))).toEqual([]);
  expect(answer.body).toContain("<title>Błąd");
  expect(answer.body).not.toMatch(/node_modules|PostgreSQL|ECONN/);
  // Not nginx' own page.
  expect(answer.body).not.toContain("Nic z tego, co zostało już potwierdzone, nie przepadło");
}
