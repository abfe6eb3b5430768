import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CODE_STEPS } from "../../account-steps";
import { until } from "../../browsers/until";
import { customersOf } from "../../new-account";
import type { Visitor } from "../../visitor";
import { WAITING_SMS } from "../../waiting";
import { CAN_START, startTopology, type Topology } from "../../topology/topology";

const STEP = CODE_STEPS["change-password"];
const CHANGES = 6;
/** The words of the notice, without the time and the number to call. */
const CHANGED = /zmieniono haslo do portalu/;

describe.runIf(CAN_START)("two portals that send SMS notices", () => {
  const customer = customersOf();
  let topology: Topology;
  beforeAll(async () => {
    // A portal that is killed while it sends keeps its message for a few attempts' time: less than a test waits.
    topology = await startTopology({ env: { SMS_NOTICES: "on", LIMIT_SMS_SEND_MS: "2000" } });
  });
  afterAll(() => topology.stop());

  /** A customer with the code for another password, and the form that sets it. */
  const arrive = async () => {
    const { visitor, phone } = await STEP.arrive(topology, customer());
    return { visitor, phone, form: { authorizationCode: await topology.lastCode(phone), ...STEP.fields() } };
  };
  const change = async (visitor: Visitor, form: Readonly<Record<string, string>>) => {
    expect((await visitor.post(STEP.path, form)).header("Location")).toBe(STEP.next);
  };
  const noticesTo = async (phone: string) =>
    (await topology.outbox()).filter(({ to, text }) => to === phone && CHANGED.test(text));

  it("[S96] each password change is told once, although both portals look for messages", async () => {
    const arrivals = [];
    for (let nth = 0; nth < CHANGES; nth += 1) arrivals.push(await arrive());
    await Promise.all(arrivals.map(({ visitor, form }) => change(visitor, form)));
    for (const { phone } of arrivals) expect(await noticesTo(phone)).toHaveLength(1);
    expect(topology.sms.accepted()).toBe(topology.sms.messages().length);
  });

  it("[S96] a form that is sent to both portals at once changes the password once and tells it once", async () => {
    const { visitor, phone, form } = await arrive();
    await Promise.all([change(visitor, form), change(visitor.twin(), form)]);
    expect(await noticesTo(phone)).toHaveLength(1);
  });

  it("[S96, S103] a portal is killed before it could send the notice: the other sends it, once", async () => {
    const { visitor, phone, form } = await arrive();
    const [victim, ...others] = topology.members;
    // So the form goes to the one that will be killed.
    for (const other of others) other.signal("SIGSTOP");
    const works = topology.sms.fail();
    await change(visitor, form);
    await until("the gateway to refuse the notice", () =>
      Promise.resolve(victim.log().includes("sms-postponed")),
    );
    await victim.end();
    for (const other of others) other.signal("SIGCONT");
    expect(await topology.database.count(WAITING_SMS)).toBe(1);
    works();
    expect(await noticesTo(phone)).toHaveLength(1);
    await victim.start();
  });
});
