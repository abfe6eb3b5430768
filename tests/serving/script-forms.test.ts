import { expect, test } from "vitest";
import { ANNA } from "../demo-customers";
import type { HttpAnswer } from "../http-request";
import { FROM_SCRIPT, Visitor } from "../visitor";
import { sharedPortal } from "../shared-portal";

const portal = sharedPortal();

/** Ways to be redirected. */
const REDIRECTS: readonly [
  string,
  number,
  (visitor: Visitor, headers: Record<string, string>) => Promise<HttpAnswer>,
][] = [
  [
    "a form that is done",
    303,
    (visitor, headers) =>
      visitor.post("/home?index", { username: ANNA.username, password: ANNA.password }, { headers }),
  ],
  ["consent", 303, (visitor, headers) => visitor.post("/home/cookies", {}, { headers })],
  ["a page for customers", 302, (visitor, headers) => visitor.get("/cp", { headers })],
  ["another language", 303, (visitor, headers) => visitor.get("/language/en?back=%2Fhome", { headers })],
  ["sign-out", 303, (visitor, headers) => visitor.post("/home/logout", {}, { headers })],
];

/** Headers that a 204 can't have, or that differ in every answer. */
const OWN = /^(location|x-location|date|x-request-id|transfer-encoding|content-length|content-type|vary)$/;

function rest(answer: HttpAnswer): readonly string[] {
  return answer.headerNames
    .filter((name) => !OWN.test(name))
    .flatMap((name) => answer.lines(name).map((line) => `${name}: ${line.replace(/=[^;]{20,}/, "=…")}`))
    .toSorted();
}

test.each(REDIRECTS)(
  "[S55] a script is told where %s leads, and nothing else differs",
  async (_what, status, ask) => {
    const visitor = new Visitor(portal);
    await visitor.accept();
    const redirect = await ask(visitor.twin(), {});
    const named = await ask(visitor.twin(), { ...FROM_SCRIPT });
    expect([redirect.status, named.status, named.body]).toEqual([status, 204, ""]);
    expect(redirect.header("Location")).toMatch(/^\/home/);
    expect(named.lines("X-Location")).toEqual(redirect.lines("Location"));
    expect(named.lines("Location")).toEqual([]);
    expect(named.lines("Cache-Control")).toEqual(["no-store"]);
    expect(named.lines("X-Request-Id")).toHaveLength(1);
    expect(rest(named)).toEqual(rest(redirect));
  },
);

test.each(["0", "true", "1, 1", ""])(
  "a request with X-Portal-Form: %j is any other request",
  async (value) => {
    const visitor = new Visitor(portal);
    await visitor.accept();
    const answer = await visitor.get("/cp", { headers: { "X-Portal-Form": value } });
    expect([answer.status, answer.header("Location"), answer.header("X-Location")]).toEqual([
      302,
      "/home",
      undefined,
    ]);
  },
);

test("[S49, S111] the header proves nothing: other sites, images and frames get what they always get", async () => {
  const visitor = new Visitor(portal);
  await visitor.signIn(ANNA);
  const evil = { ...FROM_SCRIPT, Origin: "https://evil.example" };
  expect((await visitor.post("/home/logout", {}, { headers: evil })).status).toBe(403);
  const frame = { ...FROM_SCRIPT, "Sec-Fetch-Dest": "iframe", "Sec-Fetch-Site": "cross-site" };
  const answer = await visitor.get("/home/logout", { headers: frame });
  expect([answer.status, answer.lines("Set-Cookie"), answer.lines("Clear-Site-Data")]).toEqual([200, [], []]);
  expect((await visitor.get("/cp")).status).toBe(200);
});

test("pages, refusals and calls are the same for a script", async () => {
  const visitor = new Visitor(portal);
  await visitor.accept();
  const register = async (headers: Record<string, string>) =>
    (await visitor.post("/home/register", { policyNo: "x", pid: "y" }, { headers })).body;
  expect(await register({ ...FROM_SCRIPT })).toBe(await register({}));
  const call = await visitor.send("GET", "/home/api/user/info", { headers: FROM_SCRIPT });
  expect([call.status, call.header("X-Location")]).toEqual([401, undefined]);
});
