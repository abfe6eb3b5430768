import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANNA, JAN } from "../demo-customers";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";
import { ADDRESSES, routePatterns, STATES, type AddressRow, type State } from "./addresses";
import { CALLS, callStatus, DATA, DETOURS, visitEveryWay, visitorIn } from "./visits";

let portal: Portal;
/** One visitor for each state; no request of the table may end their session. */
const visitors = new Map<State, Visitor>();

beforeAll(async () => {
  portal = await startPortal();
  for (const state of STATES) visitors.set(state, await visitorIn(portal, state));
});
afterAll(() => portal.stop());

async function visitorFor(row: AddressRow, state: State): Promise<Visitor> {
  const known = visitors.get(state);
  return row.endsSession || !known ? visitorIn(portal, state, JAN) : known.twin();
}

test("every address of the portal is in the table, and nothing else", () => {
  expect([...new Set(ADDRESSES.map(({ pattern }) => pattern))].toSorted()).toEqual(
    [...routePatterns()].toSorted(),
  );
});

describe.each(ADDRESSES)("$path", (row) => {
  test.each(STATES)("[S39] page, form and data for a visitor who is %s", async (state) => {
    const visited = await visitEveryWay(row, state, () => visitorFor(row, state));
    expect(visited.map(({ what, was }) => [what, was])).toEqual(
      visited.map(({ what, should }) => [what, should]),
    );
  });
});

describe("[S39] calls of the API, with and without consent", () => {
  test.each(CALLS)("%s %s", async (...call) => {
    const [method, path, payload] = call;
    for (const state of STATES) {
      const answer = await visitors.get(state)?.twin().call(method, path, payload);
      expect([state, answer?.status]).toEqual([state, callStatus(call, state)]);
      expect([state, answer?.header("Location")]).toEqual([state, undefined]);
      expect(answer?.header("Content-Type")).toMatch(/^application\/json/);
    }
  });

  test("DELETE /home/api/session is 204 in every state, however often it is sent", async () => {
    for (const state of STATES) {
      const visitor = await visitorIn(portal, state);
      const session = visitor.twin();
      expect([state, (await visitor.call("DELETE", "/home/api/session")).status]).toEqual([state, 204]);
      expect([state, (await session.call("DELETE", "/home/api/session")).status]).toEqual([state, 204]);
      expect([state, (await session.call("GET", "/home/api/user/info")).status]).toEqual([state, 401]);
    }
  });
});

test("files and legal documents are open to everybody", async () => {
  const { body } = await new Visitor(portal).get("/home/cookies");
  const scripts = [...body.matchAll(/\/assets\/[\w.-]+\.js/g)].map(([path]) => path);
  expect(scripts.length).toBeGreaterThan(0);
  for (const path of [
    "/favicon.svg",
    "/robots.txt",
    "/documents/regulamin-portalu.pdf",
    "/documents/polityka-cookies.pdf",
    ...scripts,
  ]) {
    expect([path, (await new Visitor(portal).get(path)).status]).toEqual([path, 200]);
  }
});

describe("[S39] there is no way around a gate", () => {
  test.each(DETOURS)("%s shows a customer's data to nobody but the customer", async (path) => {
    for (const state of STATES.filter((name) => name !== "signed-in")) {
      const answer = await visitors.get(state)?.twin().get(path);
      expect([state, answer?.body.includes(ANNA.policyNo) ?? true]).toEqual([state, false]);
      expect([state, answer?.body.includes(ANNA.name) ?? true]).toEqual([state, false]);
      expect(answer?.status).toBeLessThan(500);
    }
  });

  test.each(DATA)("%s is 404 for everybody, the customer included", async (path) => {
    for (const state of STATES) {
      const answer = await visitors.get(state)?.twin().get(path);
      expect([state, answer?.status]).toEqual([state, 404]);
      expect(answer?.body).not.toContain(ANNA.policyNo);
    }
  });
});

test("after all of this, nobody has lost or gained a session", async () => {
  const info = async (state: State) =>
    (await visitors.get(state)?.call("GET", "/home/api/user/info"))?.status;
  const init = async (state: State) =>
    (await visitors.get(state)?.call("POST", "/home/api/user/init", {}))?.status;
  const found = await Promise.all(STATES.map(async (state) => [state, await info(state), await init(state)]));
  expect(found).toEqual([
    ["nobody", 401, 401],
    ["signed-out", 401, 401],
    ["pending", 200, 409],
    ["signed-in", 200, 200],
    ["pending, without consent", 200, 409],
    ["signed-in, without consent", 200, 200],
  ]);
});
