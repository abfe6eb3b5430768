import { afterAll, beforeAll, expect, test } from "vitest";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.stop());

/** What is written into a page moves all that follows: once past every place where two buffers meet. */
const LENGTHS = Array.from({ length: 46 }, (_, at) => at + 5);

test("no page has NUL where a buffer ended before a Polish letter, nor half of one", async () => {
  const visitor = new Visitor(portal);
  await visitor.accept();
  const torn: unknown[] = [];
  for (const length of LENGTHS) {
    await visitor.post("/home/reset-password-init", { username: "a".repeat(length) });
    const pages = [
      await visitor.get("/home/reset-password-submit"),
      await visitor.post("/home/reset-password-submit"),
    ];
    for (const { body } of pages)
      if (/[\0\ufffd]/.test(body)) torn.push(/.{20}[\0\ufffd].{10}/.exec(body)?.[0]);
  }
  expect(torn).toEqual([]);
});
