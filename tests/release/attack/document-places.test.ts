import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPortal, type Portal } from "../../portal";
import { askFor, bytesOf, LARGE, readerOf, type Asked, type Reader } from "../../attack/large-documents";

/** A page and a call, which different code answers. */
const EDGES = ["/cp/document/", "/cp/api/documents/"] as const;
type Edge = (typeof EDGES)[number];

/**
 * A portal that makes and sends one document at a time. The next one waits its turn, long enough on a busy machine not
 * to be refused.
 */
function withOnePlace(env: Readonly<Record<string, string>> = {}) {
  let portal: Portal;
  let piotr: Reader;
  beforeAll(async () => {
    const limits = { LIMIT_DOCUMENT_PLACES: "1", LIMIT_DOCUMENTS_AT_ONCE: "2", LIMIT_PDF_MS: "600000" };
    portal = await startPortal({ env: { ...limits, ...env } });
    piotr = await readerOf(portal);
  });
  afterAll(() => portal.stop());
  return {
    ask: (edge: Edge, which: "letter" | "terms"): Asked => askFor(portal, piotr, edge + piotr.ids[which]),
    /** Makes a few requests, after which the portal is busy with the earlier one. */
    later: async () => {
      for (let nth = 0; nth < 3; nth += 1) expect((await piotr.visitor.get("/cp")).status).toBe(200);
    },
    log: () => portal.log(),
  };
}

describe("a client that has left", () => {
  const { ask, later, log } = withOnePlace();

  test.each(EDGES)("[S128] before its document was made gives its place back: %s", async (edge) => {
    const { leave } = ask(edge, "letter");
    await later();
    leave();
    const answer = await ask(edge, "terms").answer;
    expect(answer.statusCode).toBe(200);
    expect((await bytesOf(answer)).equals(LARGE)).toBe(true);
    expect(log()).not.toMatch(/"level":"(error|fatal)"/);
  });

  test.each(EDGES)("[S128] in the middle of its answer gives its place back: %s", async (edge) => {
    const first = ask(edge, "letter");
    expect((await first.answer).statusCode).toBe(200);
    const next = ask(edge, "terms");
    first.leave();
    expect((await bytesOf(await next.answer)).equals(LARGE)).toBe(true);
    expect(log()).not.toMatch(/"level":"(error|fatal)"/);
  });
});

describe("a reader who stops reading", () => {
  // A rate far above the growth of the system's buffers, and far below the speed of the other reader.
  const { ask } = withOnePlace({
    LIMIT_DOCUMENT_BYTES_PER_SECOND: String(4 * 1024 * 1024),
    LIMIT_DOCUMENT_BEHIND_MS: "2000",
  });

  test.each(EDGES)("[S128] is cut off, so that the next one gets the place: %s", async (edge) => {
    const paused = await ask(edge, "terms").answer;
    expect(paused.statusCode).toBe(200);
    expect((await bytesOf(await ask(edge, "terms").answer)).equals(LARGE)).toBe(true);
    await expect(bytesOf(paused)).rejects.toThrow("aborted");
  });
});
