import { readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { expect, it, vi } from "vitest";
import type { Slots } from "~/front-door/slots.server";
import { packTemplate } from "~/shell/kept-pages/packed-template.server";
import { PageTemplate } from "~/shell/kept-pages/page-template.server";
import { areHarmless, splitAtMarks } from "~/shell/kept-pages/parts";

const MARKS: Slots = { nonce: "nnnnn", reference: "rrrrr", time: "ttttt", host: "hhhhh" };
const ONE: Slots = {
  nonce: "abc+/def==",
  reference: "0123abcd",
  time: "20.11.2026, 12:05",
  host: "a.example",
};
/** Values as long as those of a real page. */
const REAL: Slots = {
  nonce: "q2Zb0m7XKx1Q5vJmYt3u/w==",
  reference: "0123456789ab",
  time: "20.11.2026, 12:05",
  host: "portal.example",
};
const OTHER: Slots = {
  nonce: "ZZZZZZZZZZ",
  reference: "ffffffff",
  time: "31.12.2026, 23:59",
  host: "b.example",
};

const filled = (html: string, values: Slots) =>
  html
    .replaceAll(MARKS.nonce, values.nonce)
    .replaceAll(MARKS.reference, values.reference)
    .replaceAll(MARKS.time, values.time)
    .replaceAll(MARKS.host, values.host);

const PARAGRAPH = "<p>Zażółć gęślą jaźń, bo polisa jest ważna do końca roku.</p>".repeat(40);
const PAGES = {
  "with each value once": `<script nonce="nnnnn"></script>${PARAGRAPH}<p>rrrrr, ttttt, hhhhh.</p>`,
  "with a value in many places": `<b n="nnnnn"></b>${PARAGRAPH}<b n="nnnnn"></b>${PARAGRAPH}<b n="nnnnn"></b>rrrrr</p>`,
  "that begins with a value": `nnnnn${PARAGRAPH}`,
  "without values": PARAGRAPH,
};
const UNPACKABLE = {
  "with values side by side": `${PARAGRAPH}nnnnnrrrrrttttthhhhh${PARAGRAPH}`,
  "that ends with a value": `${PARAGRAPH}rrrrr`,
  "with one byte after a value": `${PARAGRAPH}rrrrr.`,
};

it.each(Object.entries(PAGES))("a page %s takes other values, packed or not", async (_, html) => {
  const template = new PageTemplate(html, MARKS);
  const packed = await packTemplate(splitAtMarks(html, MARKS), ONE);
  for (const values of [ONE, OTHER]) {
    expect(template.fill(values).toString()).toBe(filled(html, values));
    expect(packed && brotliDecompressSync(packed.fill(values)).toString()).toBe(filled(html, values));
  }
});

it("a long page can be packed, whichever random letters fill its slots meanwhile", async () => {
  const text = readFileSync("docs/legal/polityka-cookies.html", "utf8");
  const [half, rest] = [text.slice(0, 4000), text.slice(4000)];
  const html = `${half}<b n="nnnnn">${half}<b n="nnnnn">${rest}rrrrr, ttttt, hhhhh. ${rest}`;
  const parts = splitAtMarks(html, MARKS);
  for (let nth = 0; nth < 40; nth += 1) {
    const packed = await packTemplate(parts, REAL);
    expect(packed && brotliDecompressSync(packed.fill(REAL)).toString()).toBe(filled(html, REAL));
  }
});

it.each(Object.entries(UNPACKABLE))(
  "a page %s can't be packed once for all values, yet each answer is right",
  async (_, html) => {
    expect(await packTemplate(splitAtMarks(html, MARKS), ONE)).toBeUndefined();
    const template = new PageTemplate(html, MARKS);
    for (let asked = 0; asked < 20; asked += 1)
      expect(brotliDecompressSync(await template.pack(OTHER)).toString()).toBe(filled(html, OTHER));
  },
);

it("a page is not packed for all values if a part of it would be copied from a value", async () => {
  // While the page is packed, letters stand for the values: always the same, and the first ones are on the page.
  const letters = Object.values(ONE).join("").length;
  let drawn = 0;
  const random = vi
    .spyOn(Math, "random")
    .mockImplementation(() => (((drawn++ % letters) * 5 + 0.5) % 52) / 52);
  const html = `${PARAGRAPH}<b n="nnnnn"></b><b n="AFKPUZejot"></b>${PARAGRAPH}`;
  expect(await packTemplate(splitAtMarks(html, MARKS), ONE)).toBeUndefined();
  random.mockRestore();
});

/** Asks for a page with these values in turn, and returns how many answers come before one at brotli's best level. */
async function askedUntilPacked(template: PageTemplate, html: string, values: readonly Slots[]) {
  const quick = new Map<Slots, number>();
  for (let asked = 0; ; asked += 1) {
    const now = values[asked % values.length] ?? ONE;
    const packed = await template.pack(now);
    expect(brotliDecompressSync(packed).toString()).toBe(filled(html, now));
    if (packed.length !== (quick.get(now) ?? packed.length)) return asked;
    quick.set(now, packed.length);
    // Takes as long as the template's own packing, if that has begun.
    await packTemplate(splitAtMarks(html, MARKS), now);
  }
}

it("a page is packed at brotli's best level at once; for other lengths of values, once they are frequent", async () => {
  const html = PAGES["with each value once"];
  const template = new PageTemplate(html, MARKS);
  expect(await askedUntilPacked(template, html, [ONE, OTHER])).toBeLessThan(5);
  const elsewhere = { ...ONE, host: "another.host.example" };
  expect(await askedUntilPacked(template, html, [elsewhere])).toBeGreaterThanOrEqual(10);
});

it("values of other lengths come out right, too, however many lengths there are", async () => {
  const html = PAGES["with a value in many places"];
  const template = new PageTemplate(html, MARKS);
  for (let length = 1; length < 40; length += 1) {
    const values = { ...ONE, reference: "r".repeat(length) };
    for (let asked = 0; asked < 12; asked += 1)
      expect(brotliDecompressSync(await template.pack(values)).toString()).toBe(filled(html, values));
  }
});

it.each(["<b>", '"', "'", "&", "\\", "\n", "ą", "\u2028"])(
  "a value with %j is not put into a page",
  (odd) => {
    expect(areHarmless(ONE)).toBe(true);
    for (const name of ["reference", "time", "host"] as const)
      expect(areHarmless({ ...ONE, [name]: `x${odd}x` })).toBe(false);
  },
);
