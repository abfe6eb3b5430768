import { beforeAll, describe, expect, test } from "vitest";
import { ANNA } from "../demo-customers";
import { IS_RELEASE } from "../release-run";
import { Visitor } from "../visitor";
import { ADDRESSES, routePatterns, STATES, type AddressRow, type State } from "./addresses";
import { GROUNDS, startedOn, type Ground, type Started } from "./ground";
import {
  CALLS,
  callStatus,
  changedSessions,
  DATA,
  DETOURS,
  visitEveryWay,
  visitorFor,
  visitorIn,
  visitorsOf,
  type Visitors,
} from "./visits";

test("every address of the portal is in the table, and nothing else", () => {
  expect([...new Set(ADDRESSES.map(({ pattern }) => pattern))].toSorted()).toEqual(
    [...routePatterns()].toSorted(),
  );
});

/** Production has no demo pages, and nginx doesn't pass on /readyz. */
function hereAs(ground: Ground, row: AddressRow): AddressRow {
  const isHidden = row.path.startsWith("/demo/") || row.path === "/readyz";
  return ground === "a topology" && isHidden ? { ...row, get: 404, post: 404, noPage: true } : row;
}

describe.each(GROUNDS)("at %s", (ground) => {
  const portalHere = startedOn(ground);
  let portal: Started;
  let visitors: Visitors;
  beforeAll(async () => {
    portal = portalHere();
    visitors = await visitorsOf(portal);
  });

  /** The states in which an address is visited: of the two without consent one; before a release both. */
  const statesFor = (row: AddressRow) => {
    const left = STATES.at(ADDRESSES.indexOf(row) % 2 === 0 ? -1 : -2);
    return STATES.filter((state) => IS_RELEASE || state !== left);
  };
  test.each(ADDRESSES)("[S39] $path: page, form and data for a visitor in every state", async (row) => {
    const visitsIn = async (state: State) => {
      // Each address in every way by one visitor, and each visitor at several; before a release each at each.
      const inEveryWay = IS_RELEASE || ADDRESSES.indexOf(row) % STATES.length === STATES.indexOf(state);
      const newVisitor = () => visitorFor(portal, visitors, row, state);
      const visited = await visitEveryWay(hereAs(ground, row), state, newVisitor, inEveryWay);
      return visited.map((visit) => ({ state, ...visit }));
    };
    const all = [];
    // Visitors who sign in each wait for their own code.
    if (row.endsSession) for (const state of statesFor(row)) all.push(...(await visitsIn(state)));
    else all.push(...(await Promise.all(statesFor(row).map(visitsIn))).flat());
    expect(all.map(({ state, what, was }) => [state, what, was])).toEqual(
      all.map(({ state, what, should }) => [state, what, should]),
    );
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
      for (const state of ["signed-out", "pending"] as const) {
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
    expect(await changedSessions(visitors)).toEqual([]);
  });
});
