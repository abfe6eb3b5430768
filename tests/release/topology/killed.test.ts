import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALL_CODE_STEPS, type CodeStep } from "../../account-steps";
import { customersOf, register } from "../../new-account";
import { wrongCode } from "../../portal";
import { Visitor } from "../../visitor";
import type { Member } from "../../topology/member";
import { CAN_START, startTopology, type Topology } from "../../topology/topology";
import { waitUntilAllAsked, waitUntilAsked } from "../../topology/who-answers";

const SIGN_IN: CodeStep = {
  path: "/home/mfa",
  arrive: async (portal, customer) => {
    const { account } = await register(portal, customer);
    const visitor = new Visitor(portal);
    await visitor.begin(account);
    return { visitor, phone: customer.phone };
  },
  fields: () => ({ intent: "confirm" }),
  next: "/cp",
  back: "/home",
};

const JOURNEYS: readonly (readonly [string, CodeStep])[] = [["sign-in", SIGN_IN], ...ALL_CODE_STEPS];

describe.runIf(CAN_START)("two portals on one database", () => {
  const customer = customersOf();
  let topology: Topology;
  beforeAll(async () => {
    topology = await startTopology();
  });
  afterAll(async () => {
    await back;
    await topology.stop();
  });

  /** The killed portal comes back while the next journey begins. */
  let back: Promise<void> = Promise.resolve();
  const comesBack = (member: Member) => {
    member.link.recover();
    back = member.start();
  };
  const allAnswer = async () => {
    await back;
    await waitUntilAllAsked(topology);
  };
  /** Kills a portal while it handles a form. It gets the form since the others are frozen until the form is lost. */
  const killWhileHandling = async <Answer>(send: () => Promise<Answer>) => {
    await allAnswer();
    const [victim, ...others] = topology.members;
    for (const other of others) other.signal("SIGSTOP");
    victim.link.hang();
    const reached = victim.link.tried();
    const sent = send();
    await reached;
    await victim.end();
    const lost = await sent;
    for (const other of others) other.signal("SIGCONT");
    for (const other of others) await waitUntilAsked(topology, other);
    return { victim, lost };
  };

  it.each(JOURNEYS)(
    "[S17, S103] %s: one portal is killed while it handles the form; sent again, the other takes it",
    async (_, step) => {
      const { visitor, phone } = await step.arrive(topology, customer());
      const form = { authorizationCode: await topology.lastCode(phone), ...step.fields() };
      const messages = await topology.messagesTo(phone);

      const { victim, lost } = await killWhileHandling(() => visitor.post(step.path, form));
      expect([lost.status, lost.header("Retry-After")]).toEqual([503, "5"]);
      expect(lost.body).toContain("Portal jest chwilowo niedostępny");

      expect((await visitor.post(step.path, form)).header("Location")).toBe(step.next);
      expect((await visitor.get(step.next)).status).toBe(200);
      expect(await topology.messagesTo(phone)).toBe(messages);
      comesBack(victim);
    },
  );

  it("[S17] count wrong passwords and wrong codes together, whichever portal answers", async () => {
    const { account } = await register(topology, customer());
    await allAnswer();
    const guesser = new Visitor(topology);
    await guesser.begin(account);
    const code = await topology.lastCode(account.phone);
    for (let nth = 1; nth <= 5; nth += 1) await guesser.confirm(wrongCode(code, nth));
    expect((await guesser.confirm(code)).status).toBe(400);

    const thief = new Visitor(topology);
    await thief.accept();
    const wrong = { ...account, password: "Nie-To-Haslo-1" };
    for (let nth = 1; nth <= 5; nth += 1) await thief.login(wrong);
    expect((await thief.login(account)).status).toBe(400);
  });

  it("[S27] if one is killed while it sends a code, and the form is sent again, one message goes out", async () => {
    const { account } = await register(topology, customer());
    const messages = await topology.messagesTo(account.phone);
    const visitor = new Visitor(topology);
    await visitor.accept();
    const { victim, lost } = await killWhileHandling(() => visitor.login(account));
    expect(lost.status).toBe(503);

    expect((await visitor.login(account)).header("Location")).toBe("/home/mfa");
    expect((await visitor.confirm(await topology.lastCode(account.phone))).header("Location")).toBe("/cp");
    expect(await topology.messagesTo(account.phone)).toBe(messages + 1);
    comesBack(victim);
  });
});
