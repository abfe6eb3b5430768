import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ANNA, PIOTR } from "../demo-customers";
import type { HttpAnswer } from "../http-request";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";
import {
  ADDRESSES,
  dataPath,
  outcomeIn,
  routePatterns,
  STATES,
  type AddressRow,
  type Outcome,
  type State,
} from "./addresses";

let portal: Portal;
/** One visitor for each state; no request of the table may end their session. */
const visitors = new Map<State, Visitor>();

beforeAll(async () => {
  portal = await startPortal();
  for (const state of STATES) visitors.set(state, await visitorIn(state));
});
afterAll(() => portal.stop());

/** A new visitor in this state, with their own session. */
async function visitorIn(state: State): Promise<Visitor> {
  const visitor = new Visitor(portal);
  if (state === "nobody") return visitor;
  await visitor.accept();
  if (state.startsWith("pending")) await visitor.begin(ANNA);
  if (state.startsWith("signed-in")) await visitor.signIn(ANNA);
  if (state.endsWith("without consent")) visitor.cookies.delete("accepted-cookies");
  return visitor;
}

async function visitorFor(row: AddressRow, state: State): Promise<Visitor> {
  const known = visitors.get(state);
  return row.endsSession || !known ? visitorIn(state) : known.twin();
}

/** An answer as the table writes it. Remix answers a data request that leads elsewhere with 202 and the address. */
function outcomeOf({ status, header }: HttpAnswer, ...redirects: readonly number[]): Outcome {
  return redirects.includes(status) ? `→ ${header("Location") ?? "nowhere"}` : status;
}

test("every address of the portal is in the table, and nothing else", () => {
  expect([...new Set(ADDRESSES.map(({ pattern }) => pattern))].toSorted()).toEqual(
    [...routePatterns()].toSorted(),
  );
});

describe.each(ADDRESSES)("$path", (row) => {
  const { path, get, post, postData = post, noPage } = row;
  const query = path === "/" || path === "/home" ? "?index" : "";

  test.each(STATES)("[S39] page, data and form for a visitor who is %s", async (state) => {
    const getting = outcomeIn(get, state);
    const posting = outcomeIn(post, state);
    const page = await (await visitorFor(row, state)).get(path);
    const head = await (await visitorFor(row, state)).send("HEAD", path);
    const form = await (await visitorFor(row, state)).post(path + query);
    expect([outcomeOf(page, 302), outcomeOf(form, 302, 303)]).toEqual([getting, posting]);
    // HEAD is answered as if we didn't know the visitor (S111).
    expect(outcomeOf(head, 302)).toBe(outcomeIn(get, "nobody"));
    expect(head.body).toBe("");
    if (noPage) return;

    const data = await (await visitorFor(row, state)).get(dataPath(path));
    const formData = await (await visitorFor(row, state)).post(dataPath(path) + query);
    expect([outcomeOf(data, 202), outcomeOf(formData, 202)]).toEqual([getting, outcomeIn(postData, state)]);
  });
});

describe("[S39] calls of the API, with and without consent", () => {
  const CALLS = [
    ["GET", "/home/api/user/info", undefined, [401, 200, 200]],
    ["POST", "/home/api/user/init", {}, [401, 409, 200]],
    ["POST", "/home/api/user/activate-session/init", {}, [401, 200, 200]],
    [
      "POST",
      "/home/api/user/activate-session/confirm",
      { authorizationCode: "1", deviceName: "x", trustDevice: "N" },
      [401, 400, 400],
    ],
    ["POST", "/home/api/auth/login", {}, [422, 422, 422]],
    ["GET", "/cp/api/policies", undefined, [401, 409, 200]],
    ["GET", "/cp/api/profile", undefined, [401, 409, 200]],
  ] as const;

  test.each(CALLS)("%s %s", async (method, path, payload, [signedOut, pending, signedIn]) => {
    const statuses: Record<State, number> = {
      nobody: signedOut,
      "signed-out": signedOut,
      pending,
      "signed-in": signedIn,
      "pending, without consent": pending,
      "signed-in, without consent": signedIn,
    };
    for (const state of STATES) {
      const answer = await visitors.get(state)?.twin().call(method, path, payload);
      expect([state, answer?.status]).toEqual([state, statuses[state]]);
      expect([state, answer?.header("Location")]).toEqual([state, undefined]);
      expect(answer?.header("Content-Type")).toMatch(/^application\/json/);
    }
  });

  test("DELETE /home/api/session is 204 in every state, however often it is sent", async () => {
    for (const state of STATES) {
      const visitor = await visitorIn(state);
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
  const DETOURS = [
    "/cp/",
    "/CP",
    "/cp?x=1",
    "/Cp/Profile",
    "/cp/profile/",
    "/cp%2Fprofile",
    "/%63p",
    "//cp",
    "/cp/.",
    "/home/../cp",
    "/home/%2e%2e/cp",
    "/cp;a=b",
    "/cp.data",
    "/cp/.data",
    "/cp/profile.data",
    "/CP.data",
    "/cp.data?_routes=journeys%2Fcustomer-area%2Fpolicies",
    "/cp/profile.data?_routes=journeys%2Fcustomer-area%2Fprofile",
    "/cp/profile.data?_routes=root",
    "/cp?_data=journeys%2Fcustomer-area%2Fpolicies",
    "/cp?index&_data=root",
    "/cp/profile?document-password-save-result=create",
  ];

  test.each(DETOURS)("%s shows a customer's data to nobody but the customer", async (path) => {
    for (const state of STATES.filter((name) => name !== "signed-in")) {
      const answer = await visitors.get(state)?.twin().get(path);
      expect([state, answer?.body.includes(ANNA.policyNo) ?? true]).toEqual([state, false]);
      expect([state, answer?.body.includes(ANNA.name) ?? true]).toEqual([state, false]);
      expect(answer?.status).toBeLessThan(500);
    }
  });

  test("asking for the data of a single route gives the customer's own data and no more", async () => {
    const own = await visitors
      .get("signed-in")
      ?.twin()
      .get("/cp.data?_routes=journeys%2Fcustomer-area%2Fpolicies");
    expect(own?.status).toBe(200);
    expect(own?.body).toContain(ANNA.policyNo);
    expect(own?.body).not.toContain(PIOTR.policyNo);
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
