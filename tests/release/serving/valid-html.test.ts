import { afterAll, beforeAll, expect, test } from "vitest";
import { startPortal, type Portal } from "../../portal";
import { faultsIn, galleryPages } from "../../serving/html-faults";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(async () => {
  await portal.stop();
});

test("every screen in every state of the gallery is valid HTML", async () => {
  expect(await faultsIn(await galleryPages(portal))).toEqual({});
});
