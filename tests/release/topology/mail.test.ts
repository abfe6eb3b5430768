import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../browsers/until";
import { ANNA, PIOTR } from "../../demo-customers";
import type { PublicPortal } from "../../portal";
import { MAIL_PASSWORD, type SmtpServer, startSmtpServer } from "../../smtp-server";
import { Visitor } from "../../visitor";
import { WAITING_MAIL } from "../../waiting";
import { CAN_START, startTopology, type Topology } from "../../topology/topology";

/** A portal that is killed while it sends keeps its e-mail for a few attempts' time: less than a test waits. */
const IMPATIENT = {
  LIMIT_MAIL_SEND_MS: "2000",
  LIMIT_MAIL_RETRY_SECONDS: "1",
  LIMIT_MAIL_RETRY_MAX_SECONDS: "1",
  LIMIT_MAIL_POLL_MS: "500",
};
const TRUSTED = "Dodano zaufane urządzenie";
const MESSAGE_ID = /Message-ID: (\S+)/;
const idsOf = (server: SmtpServer) => server.mails().map(({ head }) => MESSAGE_ID.exec(head)?.[1]);

/** Signs in and trusts the device; the customer gets a notice about it. */
async function trust(portal: PublicPortal, customer = ANNA): Promise<void> {
  const visitor = new Visitor(portal);
  await visitor.begin(customer);
  const answer = await visitor.confirm(await portal.lastCode(customer.phone), true);
  expect(answer.header("Location")).toBe("/cp");
}

/** Expects that nothing of an e-mail or its server is in the processes' output, or in their command lines. */
function expectNoTraces(log: string, pids: readonly number[]): void {
  const names = pids.map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8")).join("\n");
  for (const secret of [MAIL_PASSWORD, encodeURIComponent(MAIL_PASSWORD), "poczta.example", "zaufane"])
    expect(log + names).not.toContain(secret);
  expect(log).toContain('"event":"mail-accepted"');
}

describe.runIf(CAN_START)("two portals that send e-mails", () => {
  let server: SmtpServer;
  let topology: Topology;
  beforeAll(async () => {
    server = await startSmtpServer();
    topology = await startTopology({ env: { ...server.env, ...IMPATIENT } });
  });
  afterAll(async () => {
    await topology.stop();
    await server.stop();
  });

  const allSent = () =>
    until("all e-mails to be sent", async () => (await topology.database.count(WAITING_MAIL)) === 0);
  /** The e-mails that arrived during the work. */
  async function during(work: () => Promise<void>): Promise<readonly (string | undefined)[]> {
    const before = server.mails().length;
    await work();
    await allSent();
    return idsOf(server).slice(before);
  }
  /** Makes one portal take the form of a trusted device; then `kill` kills it at its moment, and the others go on. */
  async function killed(kill: (victim: Topology["members"][0]) => Promise<unknown>): Promise<void> {
    const [victim, ...others] = topology.members;
    const visitor = new Visitor(topology);
    await visitor.begin(ANNA);
    const code = await topology.lastCode(ANNA.phone);
    for (const other of others) other.signal("SIGSTOP");
    expect((await visitor.confirm(code, true)).header("Location")).toBe("/cp");
    await kill(victim);
    await victim.end();
    for (const other of others) other.signal("SIGCONT");
    server.behave("accepts");
    await allSent();
    await victim.start();
  }

  it("[S149] each customer is told once, although both portals look for e-mails", async () => {
    const ids = await during(async () => {
      for (let nth = 0; nth < 4; nth += 1) await Promise.all([trust(topology), trust(topology, PIOTR)]);
    });
    expect(ids).toHaveLength(8);
    expect(new Set(ids).size).toBe(8);
    for (const { head, text, isEncrypted } of server.mails().slice(-8)) {
      expect([isEncrypted, text.startsWith(TRUSTED)]).toEqual([true, true]);
      expect(head).toMatch(/^To: (anna\.nowak|piotr\.wisniewski)@poczta\.example$/m);
    }
  });

  it.each(["hangs", "greylists"] as const)(
    "[S150] a server that %s holds up no sign-in, and gets the e-mail when it is well again",
    async (behaviour) => {
      const ids = await during(async () => {
        server.behave(behaviour);
        for (let nth = 0; nth < 3; nth += 1) await trust(topology);
        expect(await topology.database.count(WAITING_MAIL)).toBe(3);
        server.behave("accepts");
      });
      expect(new Set(ids).size).toBe(3);
    },
  );

  it("[S150, S103] a portal is killed before it knew that the server took it: it comes twice, under one id", async () => {
    const before = server.offered();
    server.behave("hangs");
    const ids = await during(() =>
      killed(async (victim) => {
        await until("the server to have it", () => Promise.resolve(server.offered() > before));
        const unlock = await topology.database.lock("messages");
        const accepted = victim.log().split("mail-accepted").length;
        server.release();
        await until("the answer", () =>
          Promise.resolve(victim.log().split("mail-accepted").length > accepted),
        );
        await victim.end();
        await unlock();
      }),
    );
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });

  it("[S151] nothing of it is in a log, or in a list of processes", () => {
    expectNoTraces(
      topology.log(),
      topology.members.map(({ pid }) => pid()),
    );
  });
});
