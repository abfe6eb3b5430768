import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../browsers/until";
import type { RegisteredCustomer } from "../demo-customers";
import { ask } from "../http-request";
import { customersOf, register } from "../new-account";
import { IS_RELEASE } from "../release-run";
import { Visitor } from "../visitor";
import type { Member } from "./member";
import { answeredBy, waitUntilAllAsked, waitUntilAsked } from "./who-answers";
import { CAN_START, startTopology, type Topology } from "./topology";

const STREAMS = 3;
/** How often nginx is asked while a portal diverts requests: by chance, the other one alone would answer 1 in 256. */
const ASKED = 8;

describe.runIf(CAN_START)("[S103] a portal that stops", () => {
  const customer = customersOf();
  let topology: Topology;
  beforeAll(async () => {
    topology = await startTopology({ env: { LIMIT_STOP_NOTICE_MS: "500" } });
  });
  afterAll(() => topology.stop());

  const asker =
    ({ origin }: Topology) =>
    (member: Member, path: string) =>
      ask({ port: member.port, path, headers: { Host: new URL(origin).host } });

  it.runIf(IS_RELEASE)(
    "when asked to, answers until load balancers that poll notice, then until nginx asks the others",
    async () => {
      // Long enough to be asked a few times, even on a busy machine.
      const patient = await startTopology({
        env: { LIMIT_STOP_NOTICE_MS: "4000", LIMIT_STOP_DIVERT_MS: "4000" },
      });
      const [member, other] = patient.members;
      const refused = async (path: string) => {
        const { status, body } = await asker(patient)(member, path);
        return status === 503 ? body : undefined;
      };
      const answers = async () => (await asker(patient)(member, "/home/cookies")).status;
      await waitUntilAllAsked(patient);
      const ended = member.end("SIGTERM");
      expect(await until("the portal not to be ready", () => refused("/readyz"))).toBe(
        "not ready: stopping\n",
      );
      expect(await refused("/healthz")).toBeUndefined();
      expect(await answers()).toBe(200);
      expect(await until("the portal to divert requests", () => refused("/healthz"))).toBe("stopping\n");
      const visitor = new Visitor(patient);
      for (let nth = 0; nth < ASKED; nth += 1) expect(await answeredBy(patient, visitor)).toBe(other);
      expect(await answers()).toBe(200);
      expect(await ended).toEqual({ code: 0, signal: null });
      await patient.stop();
    },
  );

  it("[S17] when killed between two pages, is missed by no visitor", async () => {
    const { account } = await register(topology, customer());
    const visitor = new Visitor(topology);
    await visitor.begin(account);
    await waitUntilAllAsked(topology);
    const [victim] = topology.members;
    await victim.end();
    expect((await visitor.get("/home/mfa")).status).toBe(200);
    expect((await visitor.confirm(await topology.lastCode(account.phone))).header("Location")).toBe("/cp");
    for (let nth = 0; nth < 4; nth += 1) expect((await visitor.get("/cp")).status).toBe(200);
    await victim.start();
  });

  it.runIf(IS_RELEASE)("portals restarted one by one during sign-ins: nobody sees an error", async () => {
    const accounts: RegisteredCustomer[] = [];
    for (let nth = 0; nth < STREAMS; nth += 1) accounts.push((await register(topology, customer())).account);
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
  });
});
