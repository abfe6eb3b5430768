import { beforeAll, describe, expect, it } from "vitest";
import { Visitor } from "../visitor";
import { sharedPortal } from "../shared-portal";
import { expectDecent } from "./decency";

const portal = sharedPortal();
let visitor: Visitor;
beforeAll(async () => {
  visitor = new Visitor(portal);
  await visitor.accept();
});

/** 15 KB, the longest head Node reads: the router took 8 to 28 seconds to find that there is no such screen. */
const DEEPEST = "/a".repeat(7500);
const DEEP = "/a".repeat(17);

// unit/server's decision.test.ts has each size.
describe("[S104] an address longer or deeper than any of ours is rejected before routing", () => {
  it.each([
    ["15 KB deep", DEEPEST, 414],
    ["deep", DEEP, 404],
  ])("%s", async (_, path, status) => {
    for (const method of ["GET", "POST"]) {
      const answer = method === "GET" ? await visitor.get(path) : await visitor.post(path);
      expect([method, answer.status]).toEqual([method, status]);
      expectDecent(answer, `${method} ${path.slice(0, 40)}`);
      // The front door's page: one that the router renders would have a script.
      expect(answer.body).not.toContain("<script");
    }
  });

  it("under the API the answer is JSON", async () => {
    for (const [path, status] of [
      [`/home/api${DEEPEST}`, 414],
      [`/cp/api${DEEP}`, 404],
    ] as const) {
      const answer = await visitor.get(path);
      expect([answer.status, answer.body]).toEqual([status, "{}"]);
    }
  });

  it("our own longest addresses are let in", async () => {
    const username = encodeURIComponent("ż".repeat(50));
    const call = `/home/api/user/${username}/password-reset/init`;
    expect((await visitor.call("POST", call, {})).status).toBe(200);
    expect((await visitor.get(`/${"a".repeat(1999)}`)).body).toContain("<script");
    expect((await visitor.get("/a".repeat(16))).body).toContain("<script");
  });
});
