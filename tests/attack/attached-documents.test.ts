import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { until } from "../browsers/until";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";
import { readPage } from "./account-page";
import { CUSTOMER, PROFILE, SIGNED_IN } from "./hostile-backend";

/** Shorter limits than in production, so that the tests don't wait long. */
const BACKEND_MS = 1000;
const PAUSE_MS = 500;
const PDF = "%PDF-1.7\nŻółć".padEnd(2000, " ");
const TOO_LONG = 10 * 1024 * 1024 + 1;

type Answer = (response: ServerResponse, request: IncomingMessage) => void;
/** The backend's way of answering a request for a document. */
let answer: Answer;
const backend = createServer((request, response) => {
  request.resume();
  if (request.url?.startsWith("/cp/api/documents/")) {
    answer(response, request);
    return;
  }
  const body = request.url?.endsWith("/profile") ? PROFILE : CUSTOMER;
  response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(body));
});
let portal: Portal;
let visitor: Visitor;
beforeAll(async () => {
  await new Promise<void>((resolve) => backend.listen(0, "127.0.0.1", resolve));
  const { port } = backend.address() as AddressInfo;
  portal = await startPortal({
    env: {
      BACKEND_URL: `http://127.0.0.1:${port}`,
      LIMIT_BACKEND_MS: String(BACKEND_MS),
      LIMIT_SIGN_OUT_MS: String(BACKEND_MS),
      LIMIT_DOCUMENT_PAUSE_MS: String(PAUSE_MS),
    },
  });
});
afterAll(async () => {
  await portal.stop();
  backend.closeAllConnections();
  backend.close();
});
beforeEach(() => {
  visitor = new Visitor(portal);
  visitor.cookies.set("accepted-cookies", "true");
  for (const [name, value] of Object.entries(SIGNED_IN)) visitor.cookies.set(name, value);
});

const download = () => visitor.get("/cp/document/some-id");
/** The same as a stream, for answers that break off. */
const fetchDocument = (signal?: AbortSignal) =>
  fetch(`http://127.0.0.1:${portal.port}/cp/document/some-id`, {
    headers: { Cookie: [...visitor.cookies].map((pair) => pair.join("=")).join("; ") },
    redirect: "manual",
    ...(signal && { signal }),
  });
const refusing =
  (status: number, body: object): Answer =>
  (response) => {
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  };

describe("a document of an attached backend", () => {
  test("[F40] is handed on with its name in any alphabet and in ASCII, and is stored nowhere on the way", async () => {
    answer = (response, { headers }) => {
      expect(headers.accept).toBe("application/pdf");
      response.writeHead(200, {
        "Content-Type": "application/pdf",
        "Content-Disposition": `attachment; filename*=UTF-8''${encodeURIComponent("Zgłoszenie „A” szkody.pdf")}`,
        "Cache-Control": "public, max-age=9999",
        "X-Secret": "of the backend",
      });
      response.end(PDF);
    };
    const given = await fetchDocument();
    expect(given.status).toBe(200);
    expect(await given.text()).toBe(PDF);
    expect(given.headers.get("Content-Type")).toBe("application/pdf");
    expect(decodeURIComponent(given.headers.get("Content-Disposition") ?? "")).toContain(
      "filename=\"Zgloszenie A szkody.pdf\"; filename*=UTF-8''Zgłoszenie „A” szkody.pdf",
    );
    expect(given.headers.get("Cache-Control")).toBe("no-store");
    expect(given.headers.get("X-Secret")).toBeNull();
  });

  test.each([
    ["inline; filename=x.html"],
    ['attachment; filename="broken'],
    ["attachment; filename=../../etc/passwd"],
  ])("with a name like %s is an attachment all the same", async (disposition) => {
    answer = (response) => {
      response.writeHead(200, { "Content-Type": "application/pdf", "Content-Disposition": disposition });
      response.end(PDF);
    };
    const given = await fetchDocument();
    expect(await given.text()).toBe(PDF);
    expect(given.headers.get("Content-Disposition")).toMatch(/^attachment; filename="?[^"/\\]+\.pdf"?$/);
  });

  test("that isn't there is a page of ours: 404", async () => {
    answer = refusing(404, { whatever: "it says" });
    const { status, body } = await download();
    expect(status).toBe(404);
    expect(readPage(body).text).toContain("Nie ma takiej strony");
  });

  test("that needs a document password leads to the screen that sets one, and the screen says why", async () => {
    answer = refusing(400, { errorCode: "document-password-missing" });
    expect((await download()).header("Location")).toBe("/home/create-document-password");
    const { body } = await visitor.get("/home/create-document-password");
    expect(readPage(body).text).toContain("Ten plik jest chroniony hasłem do dokumentów");
  });

  test.each([["document-password-unreadable"], ["something-new"]])(
    "refused with %s says whom to call",
    async (errorCode) => {
      answer = refusing(400, { errorCode });
      const { status, body } = await download();
      expect(status).toBe(500);
      expect(readPage(body).text).toMatch(/Zadzwoń na infolinię: 800 100 200/);
    },
  );

  test.each([
    [429, "rate-limited", 120, "2 minuty"],
    [503, "busy", 5, "5 sekund"],
  ] as const)("refused with %i says how long to wait", async (status, errorCode, seconds, words) => {
    answer = refusing(status, { errorCode, retryAfterSeconds: seconds });
    const page = await download();
    expect([page.status, page.header("Retry-After")]).toEqual([status, String(seconds)]);
    expect(readPage(page.body).text.replaceAll("\u00A0", " ")).toContain(words);
  });

  test("is not asked for by HEAD, nor by a stranger", async () => {
    let asked = 0;
    answer = (response) => {
      asked += 1;
      response.end();
    };
    expect((await visitor.send("HEAD", "/cp/document/some-id")).status).toBe(302);
    expect((await new Visitor(portal).get("/cp/document/some-id")).header("Location")).toMatch(/^\/home/);
    expect((await visitor.post("/cp/document/some-id")).status).toBe(405);
    expect(asked).toBe(0);
  });

  test.each<[string, Answer]>([
    ["no PDF", (response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<script>")],
    [
      "too long, as it says itself",
      (response) =>
        response
          .writeHead(200, { "Content-Type": "application/pdf", "Content-Length": String(TOO_LONG) })
          .end("%PDF"),
    ],
    ["a redirect", (response) => response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end()],
  ])("that is %s ends on the error page", async (_what, bad) => {
    answer = bad;
    expect((await download()).header("Location")).toBe("/service");
  });

  test("[S128] that has not begun in time is 503, and says when to come back", async () => {
    answer = () => undefined;
    const page = await download();
    expect([page.status, page.header("Retry-After")]).toEqual([503, "5"]);
    expect(readPage(page.body).text.replaceAll("\u00A0", " ")).toContain("Spróbuj ponownie za 5 sekund");
  });

  test.each<[string, Answer]>([
    [
      "grows beyond 10 MB",
      (response) => {
        response.writeHead(200, { "Content-Type": "application/pdf" });
        response.end(Buffer.alloc(TOO_LONG));
      },
    ],
    [
      "pauses for too long",
      (response) => {
        response.writeHead(200, { "Content-Type": "application/pdf" });
        response.write("%PDF");
      },
    ],
    [
      "breaks off",
      (response) => {
        response.writeHead(200, { "Content-Type": "application/pdf", "Content-Length": "5000" });
        response.write("%PDF", () => response.destroy());
      },
    ],
  ])("that %s breaks off for the customer as well, and never looks complete", async (_what, bad) => {
    answer = bad;
    const given = await fetchDocument();
    expect(given.status).toBe(200);
    await expect(given.arrayBuffer()).rejects.toThrow();
    expect((await visitor.get("/cp")).status).not.toBe(500);
  });

  /** The log, once everything that was written so far has come: a page's line comes after all of it. */
  async function wholeLog(): Promise<string> {
    const pages = () => portal.log().split('"route":"/home/cookies"').length;
    const before = pages();
    await visitor.get("/home/cookies");
    await until("the page's line", () => Promise.resolve(pages() > before));
    return portal.log();
  }

  test("[S128] is given up when the customer goes away before it has begun", async () => {
    const leaving = new AbortController();
    const before = (await wholeLog()).length;
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        response.on("close", resolve);
        leaving.abort();
      };
    });
    await expect(fetchDocument(leaving.signal)).rejects.toThrow();
    await closed;
    // The log would say so if the portal had waited until the time was up.
    expect((await wholeLog()).slice(before)).not.toContain("backend call failed");
  });

  test("is given up when the customer goes away", async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (response) => {
        response.on("close", resolve);
        response.writeHead(200, { "Content-Type": "application/pdf" });
        response.write(PDF);
      };
    });
    const leaving = new AbortController();
    const given = await fetchDocument(leaving.signal);
    leaving.abort();
    await given.body?.cancel().catch(() => undefined);
    await closed;
  });
});
