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

describe("[S104] an address longer or deeper than any of ours is rejected before routing", () => {
  it.each([
    ["15 KB deep", DEEPEST, 414],
    ["deep", DEEP, 404],
    ["deep by encoded slashes", `/${"a%2F".repeat(17)}`, 404],
    ["long", `/${"a".repeat(2000)}`, 414],
  ])("%s", async (_, path, status) => {
    for (const method of ["GET", "POST"]) {
      const answer = method === "GET" ? await visitor.get(path) : await visitor.post(path);
      expect([method, answer.status]).toEqual([method, status]);
      expectDecent(answer, `${method} ${path.slice(0, 40)}`);
      // The front door's page: one that the router renders would have a script.
      expect(answer.body).not.toContain("<script");
    }
  });

  it("HEAD gets the same answer without the page", async () => {
    for (const [path, status] of [
      [DEEPEST, 414],
      [DEEP, 404],
    ] as const) {
      const answer = await visitor.send("HEAD", path);
      expect([answer.status, answer.body]).toEqual([status, ""]);
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

  it("no request makes Remix list the routes of an address", async () => {
    const answer = await visitor.get(`/__manifest?version=1&p=${"/a".repeat(900)}`);
    expect(answer.status).toBe(404);
    expectDecent(answer, "/__manifest");
  });

  it("our own longest addresses are let in", async () => {
    const username = encodeURIComponent("ż".repeat(50));
    const call = `/home/api/user/${username}/password-reset/init`;
    expect((await visitor.call("POST", call, {})).status).toBe(200);
    expect((await visitor.get(`/${"a".repeat(1999)}`)).body).toContain("<script");
    expect((await visitor.get("/a".repeat(16))).body).toContain("<script");
  });
});
