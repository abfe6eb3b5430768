import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIMITS } from "~/platform/config/limits";
import { PIOTR } from "../demo-customers";
import { textOf } from "../pdf-tools";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";
import { askFor, bytesOf, LARGE, readerOf, type Reader } from "./large-documents";

const AT_ONCE = 20;
const PASSWORD = "Dokument-2026!";

let portal: Portal;
let piotr: Reader;
beforeAll(async () => {
  portal = await startPortal();
  piotr = await readerOf(portal);
});
afterAll(() => portal.stop());

/** The answer to a download, unread. */
const begin = (which: keyof Reader["ids"]): Promise<IncomingMessage> =>
  askFor(portal, piotr, `/cp/document/${piotr.ids[which]}`).answer;

test("[S128] of twenty downloads of one customer at once, some arrive and open, and the rest are told to wait", async () => {
  const downloads = Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      const answer = await begin("confirmation");
      return {
        status: answer.statusCode,
        again: answer.headers["retry-after"],
        bytes: await bytesOf(answer),
      };
    }),
  );
  expect((await new Visitor(portal).get("/home")).status).toBeLessThan(400);
  const answers = await downloads;
  const arrived = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(arrived.length).toBeGreaterThanOrEqual(LIMITS.DOCUMENTS_AT_ONCE);
  expect(refused).not.toEqual([]);
  for (const { status, again } of refused) expect([status, again]).toEqual([429, "10"]);
  for (const { bytes } of arrived.slice(0, 2)) expect(textOf(bytes, PASSWORD)).toContain(PIOTR.policyNo);
});

test.each(["letter", "terms"] as const)(
  "a large document arrives whole even if the reader pauses between two pieces: %s",
  async (which) => {
    const answer = await begin(which);
    expect(answer.statusCode).toBe(200);
    let pieces = 0;
    const bytes = await bytesOf(answer, async () => {
      pieces += 1;
      if (pieces % 10 === 0) await new Visitor(portal).get("/healthz");
    });
    expect(bytes.byteLength).toBe(Number(answer.headers["content-length"]));
    expect(bytes.equals(LARGE)).toBe(which === "terms");
  },
);

test.each(["terms", "confirmation"] as const)(
  "a reader who goes away in the middle disturbs nobody else: %s",
  async (which) => {
    for (let nth = 0; nth < LIMITS.DOCUMENTS_AT_ONCE; nth += 1) {
      const answer = await begin(which);
      expect(answer.statusCode).toBe(200);
      answer.destroy();
      // The portal notices before it answers the next request.
      expect((await piotr.visitor.get("/cp")).status).toBe(200);
    }
    expect((await bytesOf(await begin("terms"))).equals(LARGE)).toBe(true);
    expect(portal.log()).not.toMatch(/"level":"(error|fatal)"|"level":[56]0/);
  },
);
