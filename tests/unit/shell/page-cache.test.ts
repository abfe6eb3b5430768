import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, it, onTestFinished, vi } from "vitest";
import { PageCache } from "~/shell/page-cache.server";
import { setAnnounced } from "~/server/front-door/context.server";

const PAGE = { "Content-Type": "text/html", "Content-Security-Policy": "script-src 'self'" };
const page = () => Promise.resolve(new Response("the page", { headers: PAGE }));

/** A memory with one screen, and the app that renders it. */
function memory(answer: () => Promise<Response> = page) {
  const app = vi.fn(answer);
  return { pages: new PageCache({ "/home": "consented" }, app), app };
}

const UNPACK: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  plain: (body) => body,
};

/** Asks for the start page at this time; @returns its encoding, or undefined if the memory leaves it to the app */
async function ask(
  pages: PageCache,
  time = "2026-11-22T11:05:00Z",
  encodings?: string,
  { language = "", words = "the page" } = {},
): Promise<string | undefined> {
  let encoding = "plain";
  let body: Buffer | undefined;
  const request = {
    method: "GET",
    url: "/home",
    headers: {
      host: "a.example",
      cookie: `accepted-cookies=true; browser=b${language && `; language=${language}`}`,
      ...(encodings !== undefined && { "accept-encoding": encodings }),
    },
  } as unknown as IncomingMessage;
  const response = {
    writeHead: (_status: number, headers: Readonly<Record<string, string>>) =>
      (encoding = headers["Content-Encoding"] ?? "plain"),
    end: (sent: Buffer) => (body = sent),
  } as unknown as ServerResponse;
  const isAnswered = await pages.answer(request, response, {
    requestId: "0123456789ab",
    clientAddress: "127.0.0.1",
    isForwarded: false,
    receivedAt: Date.parse(time),
    setCookies: [],
  });
  if (!isAnswered || !body) return undefined;
  expect(UNPACK[encoding]?.(body).toString()).toBe(words);
  return encoding;
}

/** Asks until the page is kept. */
const kept = (pages: PageCache, time?: string) =>
  vi.waitFor(async () => {
    expect(await ask(pages, time)).toBe("plain");
  });

it("a page is rendered once, for everybody", async () => {
  const { pages, app } = memory();
  expect(await ask(pages)).toBeUndefined();
  await kept(pages);
  await kept(pages);
  expect(app).toHaveBeenCalledTimes(1);
});

it.each([
  ["br, gzip", "br"],
  ["gzip, br", "br"],
  ["gzip, br;q=0", "gzip"],
  ["identity", "plain"],
])("a browser that takes %s gets the page packed as %s", async (encodings, packed) => {
  const { pages } = memory();
  await kept(pages);
  expect(await ask(pages, undefined, encodings)).toBe(packed);
});

it("each language has its own page", async () => {
  const isEnglish = (request: Request) => /language=en/.test(request.headers.get("Cookie") ?? "");
  const both = new PageCache({ "/home": "consented" }, (request) =>
    Promise.resolve(new Response(isEnglish(request) ? "English" : "polska", { headers: PAGE })),
  );
  for (const [language, words] of [
    ["pl", "polska"],
    ["en", "English"],
    ["pl", "polska"],
  ])
    await vi.waitFor(async () => {
      expect(await ask(both, undefined, undefined, { language, words })).toBe("plain");
    });
});

it("a new year in Poland empties the memory, since every footer shows the year", async () => {
  const { pages, app } = memory();
  await kept(pages, "2026-12-31T22:59:59Z");
  expect(await ask(pages, "2026-12-31T23:00:00Z")).toBeUndefined();
  await kept(pages, "2026-12-31T23:00:00Z");
  expect(app).toHaveBeenCalledTimes(2);
});

it("an announcement empties the memory when it begins, changes and ends, since every page shows it", async () => {
  onTestFinished(() => {
    setAnnounced({});
  });
  const { pages, app } = memory();
  const until = Date.parse("2026-11-22T12:00:00Z");
  for (const text of ["Pierwszy", "Drugi"]) {
    await kept(pages);
    setAnnounced({ announcement: { text, textEn: "", until } });
    expect(await ask(pages)).toBeUndefined();
  }
  await kept(pages);
  expect(await ask(pages, "2026-11-22T12:00:00Z")).toBeUndefined();
  await kept(pages, "2026-11-22T12:00:00Z");
  expect(app).toHaveBeenCalledTimes(4);
});

it("a page whose rendering began before an announcement is not kept", async () => {
  onTestFinished(() => {
    setAnnounced({});
  });
  let finish: (page: Response) => void = () => undefined;
  const begun = new Promise<Response>((resolve) => (finish = resolve));
  const { pages, app } = memory(() => (app.mock.calls.length === 1 ? begun : page()));
  expect(await ask(pages)).toBeUndefined();
  setAnnounced({ announcement: { text: "Nowy", textEn: "", until: Date.parse("2026-11-22T12:00:00Z") } });
  expect(await ask(pages)).toBeUndefined();
  finish(new Response("a page from before", { headers: PAGE }));
  await kept(pages);
  expect(app).toHaveBeenCalledTimes(2);
});

it("a page that could not be rendered is left to the app, and tried again", async () => {
  const { pages, app } = memory(() => Promise.reject(new Error("no")));
  await vi.waitFor(async () => {
    expect(await ask(pages)).toBeUndefined();
    expect(app).toHaveBeenCalledTimes(3);
  });
});

it.each([
  ["redirects", () => new Response(null, { status: 302, headers: PAGE })],
  ["has no policy of a page", () => new Response("{}")],
])("a page that %s is left to the app, and not tried again", async (_name, answer) => {
  const { pages, app } = memory(() => Promise.resolve(answer()));
  for (let nth = 0; nth < 3; nth += 1) {
    expect(await ask(pages)).toBeUndefined();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(app).toHaveBeenCalledTimes(1);
});
