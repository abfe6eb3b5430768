import { beforeEach, describe, expect, it } from "vitest";
import type { RouteArgs } from "~/server/front-door/context.server";
import { openVisit } from "~/visit/visit.server";
import { calls, json, replies, reset } from "./backend-stub";
import { CONSENT, SESSION, visit, visitOf } from "./visit";

beforeEach(reset);

const visitorOf = async (args: RouteArgs) => (await openVisit(args)).visitor();

const INFO = { name: "Anna Nowak", username: "anna.nowak" };

describe("who makes a request", () => {
  it("is asked of the backend once, however many loaders need it", async () => {
    const request = visitOf("signed in", "/cp");
    const asked = await request.run(() =>
      Promise.all([visitorOf(request), visitorOf(request.again()), visitorOf(request.again())]),
    );
    expect(new Set(asked).size).toBe(1);
    expect(calls.toSorted()).toEqual(["userInfo", "userInit"]);
  });

  it("is asked again for the next request", async () => {
    for (let nth = 0; nth < 2; nth += 1) await visitOf("signed in", "/cp").run(visitorOf);
    expect(calls).toHaveLength(4);
  });

  it("takes only one call without a session, and that answer sets the browser cookie", async () => {
    const first = visit("/home");
    replies.userInfo = () => json(401, {}, { "Set-Cookie": `browser=${"b".repeat(43)}; Path=/; HttpOnly` });
    await first.run(visitorOf);
    expect(calls).toEqual(["userInfo"]);
    expect(first.setCookies).toEqual([`browser=${"b".repeat(43)}; Path=/; HttpOnly`]);
  });

  it("depends on both answers: a valid name alone signs nobody in", async () => {
    const table = [
      [200, 200, "authenticated"],
      [200, 409, "pending"],
      [200, 401, "notAuthenticated"],
      [200, 500, "unavailable"],
      [200, 400, "unavailable"],
      [401, 200, "notAuthenticated"],
      [409, 200, "unavailable"],
      [404, 200, "unavailable"],
      [302, 200, "unavailable"],
    ] as const;
    for (const [info, init, status] of table) {
      replies.userInfo = () => json(info, info === 200 ? INFO : {});
      replies.userInit = () => json(init, {});
      const visitor = await visit("/cp", { cookies: { ...CONSENT, session: SESSION } }).run(visitorOf);
      expect(visitor.status, `${info} and ${init}`).toBe(status);
    }
  });

  it("any value of the consent cookie counts, even an empty one; a cookie with a similar name doesn't", async () => {
    replies.userInfo = () => json(401, {});
    for (const cookies of [{ "accepted-cookies": "" }, { "accepted-cookies": "0" }, CONSENT]) {
      expect(await visit("/home", { cookies }).run(visitorOf)).toEqual({ status: "notAuthenticated" });
    }
    for (const name of ["accepted-cookie", "xaccepted-cookies", "Accepted-Cookies"]) {
      expect(await visit("/home", { cookies: { [name]: "true" } }).run(visitorOf)).toEqual({
        status: "missingCookie",
      });
    }
  });
});
