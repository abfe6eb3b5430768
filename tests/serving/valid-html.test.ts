import { afterAll, beforeAll, expect, test } from "vitest";
import { startPortal, type Portal } from "../portal";
import { faultsIn, galleryPages } from "./html-faults";
import { touchingWords } from "./touching-words";

/** A screen as it opens: its address names no state. */
const AS_IT_OPENS = /^\/demo\/(sms|gallery\/[\w-]+)$/;

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(async () => {
  await portal.stop();
});

test("every screen is valid HTML as it opens", async () => {
  const pages = await galleryPages(portal, (path) => AS_IT_OPENS.test(path));
  expect(pages.size).toBeGreaterThan(20);
  expect(await faultsIn(pages)).toEqual({});
});

test("no words of two controls touch where a text browser shows them without styles", async () => {
  const touching: string[] = [];
  for (const [path, html] of await galleryPages(portal))
    touching.push(...touchingWords(html).map((words) => `${path}: ${words}`));
  expect(touching).toEqual([]);
  expect(touchingWords("<p><a>To nie ja</a><span></span><button>To ja</button></p>")).toEqual(["ja|To"]);
});
