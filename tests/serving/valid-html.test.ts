import { afterAll, beforeAll, expect, test } from "vitest";
import { startPortal, type Portal } from "../portal";
import { faultsIn, galleryPages } from "./html-faults";

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
