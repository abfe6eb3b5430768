import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../browsers/until";
import type { HttpAnswer } from "../../http-request";
import { Visitor } from "../../visitor";
import { CAN_START, startTopology, type Topology } from "../../topology/topology";
import { waitUntilAllAsked } from "../../topology/who-answers";

const WRONG = { username: "kto.to", password: "Nie-To-Haslo-1" };
const AT_ONCE = 6;

/** The fields of nginx' log line for a request. */
interface Line {
  readonly portals: string;
  readonly answers: string;
  readonly alive: string;
}

describe.runIf(CAN_START)("[S103] a portal that is frozen (SIGSTOP)", () => {
  let topology: Topology;
  beforeAll(async () => {
    topology = await startTopology();
  });
  afterAll(async () => {
    for (const { signal } of topology.members) signal("SIGCONT");
    await topology.stop();
  });

  const address = (at: number) => `127.0.0.1:${topology.members[at]?.port}`;
  const lineOf = async (answer: HttpAnswer) => {
    const id = answer.header("X-Request-Id") ?? "";
    const text = await until("nginx to write its line", async () =>
      (await readFile(topology.nginx.accessLog, "utf8")).split("\n").find((line) => line.includes(id)),
    );
    return JSON.parse(text) as Line;
  };
  /** Sends requests until one of them would have gone to the frozen portal: nginx chooses at random. */
  const untilOneMeetsIt = (ask: () => Promise<HttpAnswer>, status: number) =>
    until("a request to meet the frozen portal", async () => {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, ask));
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => status));
      const lines = await Promise.all(answers.map(lineOf));
      for (const line of lines) expect([line.portals, line.answers]).toEqual([address(1), String(status)]);
      return lines.find(({ alive }) => alive === `${address(0)}, ${address(1)}`);
    });

  it.each<[string, number, (visitor: Visitor) => Promise<HttpAnswer>]>([
    ["page", 200, (visitor) => visitor.get("/home")],
    ["form", 400, (visitor) => visitor.post("/home?index", WRONG)],
  ])("never receives a %s: the other portal answers it", async (_what, status, ask) => {
    await waitUntilAllAsked(topology);
    const visitor = new Visitor(topology);
    await visitor.accept();
    topology.members[0].signal("SIGSTOP");
    await untilOneMeetsIt(() => ask(visitor), status);
    topology.members[0].signal("SIGCONT");
  });

  it("is asked again once it runs", () => waitUntilAllAsked(topology));

  it("is told apart from one that is slow: that one keeps its request until the portal itself gives up", async () => {
    const visitor = new Visitor(topology);
    await visitor.accept();
    const release = await topology.database.lock("accounts");
    const answer = await visitor.post("/home?index", WRONG);
    await release();
    expect(answer.status).toBe(503);
    expect((await lineOf(answer)).answers).toBe("503");
  });

  it("if all are, a visitor gets our page that says so, with the helpline", async () => {
    await waitUntilAllAsked(topology);
    const visitor = new Visitor(topology);
    await visitor.accept();
    for (const { signal } of topology.members) signal("SIGSTOP");
    const answer = await visitor.post("/home?index", WRONG);
    expect([answer.status, answer.header("Retry-After")]).toEqual([503, "5"]);
    expect(answer.body).toContain("Portal jest chwilowo niedostępny");
    expect(answer.body).toMatch(/Infolinia:\s+22 000 00 00\s+lub\s+800 000 000\s+</);
    expect(answer.body).toMatch(/Helpline:\s+22 000 00 00\s+or\s+800 000 000\./);
    expect((await lineOf(answer)).portals).toBe("");
    for (const { signal } of topology.members) signal("SIGCONT");
  });
});
