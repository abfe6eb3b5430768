import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { setContext } from "~/front-door/context.server";
import { KeptPages } from "~/shell/kept-pages/kept-pages.server";
import { PageTemplate } from "~/shell/kept-pages/page-template.server";
import { renderPage } from "~/shell/kept-pages/render-page.server";

vi.mock("~/shell/kept-pages/render-page.server", () => ({ renderPage: vi.fn() }));

const MARKS = { nonce: "nnnnn", reference: "rrrrr", time: "ttttt", host: "hhhhh" };
const pageSaying = (html: string) => ({
  status: 200,
  contentType: "text/html",
  policy: () => "",
  template: new PageTemplate(html, MARKS),
});

const rendered = vi.mocked(renderPage);
beforeEach(() => {
  rendered.mockResolvedValue(pageSaying("<p>rrrrr at ttttt</p>"));
});
afterEach(() => {
  rendered.mockReset();
});

/** Asks for the start page at this time; @returns it, or undefined if the memory leaves the request to the app */
async function ask(pages: KeptPages, time: string): Promise<string | undefined> {
  let body: string | undefined;
  const request = {
    method: "GET",
    url: "/home",
    headers: { host: "a.example", cookie: "accepted-cookies=true; browser=b" },
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

it("a page has the time and the reference number of its own request", async () => {
  const pages = new KeptPages({ "/home": "consented" });
  expect(await ask(pages, "2026-11-22T11:04:59Z")).toBeUndefined();
  expect(await ask(pages, "2026-11-22T11:04:59Z")).toBe("<p>0123456789ab at 22.11.2026, 12:04</p>");
  expect(await ask(pages, "2026-11-22T11:05:00Z")).toBe("<p>0123456789ab at 22.11.2026, 12:05</p>");
  expect(rendered).toHaveBeenCalledTimes(1);
});

it("a new year in Poland empties the memory, since every footer shows the year", async () => {
  const pages = new KeptPages({ "/home": "consented" });
  await ask(pages, "2026-12-31T22:59:59Z");
  expect(await ask(pages, "2026-12-31T22:59:59Z")).toContain("31.12.2026, 23:59");
  expect(await ask(pages, "2026-12-31T23:00:00Z")).toBeUndefined();
  expect(await ask(pages, "2026-12-31T23:00:00Z")).toContain("1.01.2027, 0:00");
});

it("a page that could not be rendered is left to the app", async () => {
  rendered.mockRejectedValue(new Error("no"));
  const pages = new KeptPages({ "/home": "consented" });
  for (let nth = 0; nth < 3; nth += 1) expect(await ask(pages, "2026-11-22T11:05:00Z")).toBeUndefined();
});

it("a page that turns out to differ between visitors is left to the app", async () => {
  rendered.mockResolvedValue(undefined);
  const pages = new KeptPages({ "/home": "consented" });
  for (let nth = 0; nth < 3; nth += 1) expect(await ask(pages, "2026-11-22T11:05:00Z")).toBeUndefined();
  expect(rendered).toHaveBeenCalledTimes(1);
});
