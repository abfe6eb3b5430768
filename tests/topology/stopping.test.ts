import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../browsers/until";
import type { RegisteredCustomer } from "../demo-customers";
import { ask } from "../http-request";
import { customersOf, register } from "../new-account";
import { Visitor } from "../visitor";
import type { Member } from "./member";
import { waitUntilAsked } from "./who-answers";
import { CAN_START, PATIENCE_MS, startTopology, type Topology } from "./topology";

const STREAMS = 3;

describe.runIf(CAN_START)("[S103] a portal that is asked to stop", () => {
  const customer = customersOf();
  let topology: Topology;
  beforeAll(async () => {
    topology = await startTopology({ env: { LIMIT_STOP_NOTICE_MS: "500" } });
  }, PATIENCE_MS);
  afterAll(() => topology.stop());

  const asker =
    ({ origin }: Topology) =>
    (member: Member, path: string) =>
      ask({ port: member.port, path, headers: { Host: new URL(origin).host } });

  it(
    "says at once that it is not ready, and keeps answering until load balancers have noticed",
    async () => {
      // Long enough to be asked twice, even on a busy machine.
      const patient = await startTopology({ portals: 1, env: { LIMIT_STOP_NOTICE_MS: "6000" } });
      const [member] = patient.members;
      const directly = asker(patient);
      expect((await directly(member, "/readyz")).status).toBe(200);
      const ended = member.end("SIGTERM");
      const refused = await until("the portal not to be ready", async () => {
        const answer = await directly(member, "/readyz");
        return answer.status === 503 ? answer : undefined;
      });
      expect(refused.body).toBe("not ready: stopping\n");
      expect((await directly(member, "/home/cookies")).status).toBe(200);
      expect(await ended).toEqual({ code: 0, signal: null });
      await patient.stop();
    },
    PATIENCE_MS,
  );

  it("answers requests in progress, then exits with 0", async () => {
    const { account } = await register(topology, customer());
    const visitor = new Visitor({ ...topology, ...directlyTo(topology.members[0]) });
    await visitor.accept();
    const release = await topology.database.lock("accounts");
    const begun = visitor.login(account);
    await until("the sign-in to wait", () => topology.database.isWaiting());
    const ended = topology.members[0].end("SIGTERM");
    await until("the portal to stop", async () => (await readiness(topology.members[0])) !== 200);
    await release();
    expect((await begun).header("Location")).toBe("/home/mfa");
    expect(await ended).toEqual({ code: 0, signal: null });
    await topology.members[0].start();
  });

  it(
    "portals restarted one by one during sign-ins: nobody sees an error",
    async () => {
      const accounts: RegisteredCustomer[] = [];
      for (let nth = 0; nth < STREAMS; nth += 1)
        accounts.push((await register(topology, customer())).account);
      let rolling = true;
      const streams = accounts.map(async (account) => {
        let signIns = 0;
        // A whole sign-in with its code fails here if any of its answers is wrong.
        for (; rolling; signIns += 1) await new Visitor(topology).signIn(account);
        return signIns;
      });
      const roll = async () => {
        for (const member of topology.members) {
          expect(await member.end("SIGTERM")).toEqual({ code: 0, signal: null });
          await member.start();
          await waitUntilAsked(topology, member);
        }
      };
      await roll().finally(() => (rolling = false));
      for (const signIns of await Promise.all(streams)) expect(signIns).toBeGreaterThan(0);
    },
    PATIENCE_MS,
  );

  const directlyTo = ({ port }: Member) => ({ port, secure: false });
  const readiness = (member: Member) =>
    asker(topology)(member, "/readyz").then(
      ({ status }) => status,
      () => "gone" as const,
    );
});
