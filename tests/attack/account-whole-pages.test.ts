import { expect, test } from "vitest";
import { Visitor } from "../visitor";
import { sharedPortal } from "../shared-portal";

const portal = sharedPortal();

/** A value written into a page shifts everything after it: these lengths cover every place where two buffers meet. */
const LENGTHS = Array.from({ length: 46 }, (_, at) => at + 5);

test("no page has a NUL or half a letter where a buffer ends in front of a Polish letter", async () => {
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
