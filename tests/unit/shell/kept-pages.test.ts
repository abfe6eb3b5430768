import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, it, vi } from "vitest";
import { setContext } from "~/front-door/context.server";
import { KeptPages, type KeptPage } from "~/shell/kept-pages.server";

const PAGE: KeptPage = {
  contentType: "text/html",
  policy: "script-src 'self'",
  bodies: { plain: Buffer.from("plain"), br: Buffer.from("by brotli"), gzip: Buffer.from("by gzip") },
};

/** A memory with one screen, and what renders its page. */
function memory(rendered: () => Promise<KeptPage | undefined> = () => Promise.resolve(PAGE)) {
  const render = vi.fn(rendered);
  return { pages: new KeptPages({ "/home": "consented" }, render), render };
}

/** Asks for the start page at this time; @returns it, or undefined if the memory leaves the request to the app */
async function ask(
  pages: KeptPages,
  time = "2026-11-22T11:05:00Z",
  encodings?: string,
): Promise<string | undefined> {
  let body: string | undefined;
  const request = {
    method: "GET",
    url: "/home",
    headers: {
      host: "a.example",
      cookie: "accepted-cookies=true; browser=b",
      ...(encodings !== undefined && { "accept-encoding": encodings }),
    },
  } as unknown as IncomingMessage;
  const response = { writeHead: () => undefined, end: (page: Buffer) => (body = page.toString()) };
  setContext(request, {
    requestId: "0123456789ab",
    clientAddress: "127.0.0.1",
    isForwarded: false,
    receivedAt: Date.parse(time),
    setCookies: [],
    memo: new Map(),
  });
  const answered = await pages.answer(request, response as unknown as ServerResponse);
  return answered ? body : undefined;
}

it("a page is rendered once, for everybody", async () => {
  const { pages, render } = memory();
  expect(await ask(pages)).toBeUndefined();
  for (let nth = 0; nth < 3; nth += 1) expect(await ask(pages)).toBe("plain");
  expect(render).toHaveBeenCalledTimes(1);
});

it.each([
  ["br, gzip", "by brotli"],
  ["gzip, br", "by brotli"],
  ["gzip, br;q=0", "by gzip"],
  ["identity", "plain"],
])("a browser that takes %s gets the page %s", async (encodings, body) => {
  const { pages } = memory();
  await ask(pages);
  expect(await ask(pages, undefined, encodings)).toBe(body);
});

it("a new year in Poland empties the memory, since every footer shows the year", async () => {
  const { pages, render } = memory();
  await ask(pages, "2026-12-31T22:59:59Z");
  expect(await ask(pages, "2026-12-31T22:59:59Z")).toBe("plain");
  expect(await ask(pages, "2026-12-31T23:00:00Z")).toBeUndefined();
  expect(await ask(pages, "2026-12-31T23:00:00Z")).toBe("plain");
  expect(render).toHaveBeenCalledTimes(2);
});

it("a page that could not be rendered is left to the app, and tried again", async () => {
  const { pages, render } = memory(() => Promise.reject(new Error("no")));
  for (let nth = 0; nth < 3; nth += 1) expect(await ask(pages)).toBeUndefined();
  expect(render).toHaveBeenCalledTimes(3);
});

it("a page that turns out to differ between visitors is left to the app", async () => {
  const { pages, render } = memory(() => Promise.resolve(undefined));
  for (let nth = 0; nth < 3; nth += 1) expect(await ask(pages)).toBeUndefined();
  expect(render).toHaveBeenCalledTimes(1);
});
