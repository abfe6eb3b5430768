import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SECURITY_HEADERS } from "~/server/front-door/headers.server";
import { LIMITS } from "~/platform/config/limits";
import { ANNA, KRYSTYNA, PIOTR } from "../demo-customers";
import type { HttpAnswer } from "../http-request";
import { startPortal, type Portal } from "../portal";
import { FROM_SCRIPT, Visitor } from "../visitor";

const STATIC_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The types that a browser runs as a script (MIME Sniffing §4.6). Only our own file may have one. */
const SCRIPT = /(java|ecma|j|live)script/i;

/** The content security policy of an answer: a page's, or that of an answer that is not a page. */
type Policy = "page" | "no page";

const post =
  (path: string, headers: Record<string, string>, body = "a=b") =>
  (visitor: Visitor) =>
    visitor.postBody(path, body, { headers });
const get =
  (path: string, headers: Record<string, string> = {}) =>
  (visitor: Visitor) =>
    visitor.get(path, { headers });
const patch = (path: string) => (visitor: Visitor) => visitor.send("PATCH", path);

/** Every kind of answer: its name, its status, its policy, and a request that gets it. */
const KINDS: readonly [string, number, Policy, (visitor: Visitor) => Promise<HttpAnswer>][] = [
  ["a page", 200, "page", get("/home")],
  ["data of a page, which there is not", 404, "page", get("/home.data")],
  ["JSON of the API", 401, "no page", get("/home/api/user/info")],
  ["a redirect", 302, "no page", get("/cp")],
  ["a redirect for a script", 204, "no page", get("/cp", FROM_SCRIPT)],
  ["a redirect after a form", 303, "no page", post("/home/cookies", {})],
  ["a refused form", 400, "page", post("/home?index", {}, "")],
  ["a refused form that names a person", 400, "page", post("/home/register", {}, `pid=${KRYSTYNA.pid}`)],
  ["a refused form, sent by a script", 400, "page", post("/home?index", FROM_SCRIPT, "")],
  ["a form we never send", 400, "page", post("/home?index", {}, "username=a&username=b")],
  ["a malformed address", 400, "page", get("/%")],
  ["a form from another site", 403, "page", post("/home?index", { Origin: "https://evil.example" })],
  ["an unknown page", 404, "page", get("/nie-ma")],
  ["a missing asset", 404, "page", get("/assets/nie-ma.js")],
  ["an unknown call", 404, "no page", get("/cp/api/nie-ma")],
  ["a form posted to a page without one", 405, "page", post("/service", {}, "")],
  ["an unknown method", 405, "page", patch("/home")],
  ["an unknown method of the API", 405, "no page", patch("/home/api/user/info")],
  ["a body of unknown length", 411, "page", post("/home?index", { "Transfer-Encoding": "chunked" })],
  ["a body that is too large", 413, "page", post("/home?index", {}, "a".repeat(70_000))],
  [
    "a body that isn't a form",
    415,
    "page",
    post("/home?index", { "Content-Type": "application/json" }, "{}"),
  ],
];
/** The Back button may show these again. */
const FOR_BACK = ["a refused form", "a refused form, sent by a script", "a form we never send"];

const ORIGINS = [
  { name: "over http", publicOrigin: undefined },
  { name: "over https, with PUBLIC_ORIGIN", publicOrigin: "https://portal.example" },
];

describe.each(ORIGINS)("customers connect $name", ({ publicOrigin }) => {
  const https = publicOrigin !== undefined;
  let portal: Portal;
  let visitor: Visitor;
  beforeAll(async () => {
    portal = await startPortal(publicOrigin === undefined ? {} : { publicOrigin });
    visitor = new Visitor(portal);
    await visitor.accept();
  });
  afterAll(() => portal.stop());

  test.each(KINDS)("[S51, S54, S55, S57, S63, S72] %s (%i)", async (name, status, policy, ask) => {
    const answer = await ask(visitor.twin());
    expect(answer.status).toBe(status);
    for (const header of SECURITY_HEADERS)
      expect([header.name, answer.lines(header.name)]).toEqual([header.name, [header.value]]);
    expect(answer.lines("Strict-Transport-Security")).toEqual(
      https ? ["max-age=63072000; includeSubDomains"] : [],
    );
    expect(answer.lines("Cache-Control")).toEqual([
      FOR_BACK.includes(name) ? "private, no-cache" : "no-store",
    ]);
    expect(answer.lines("Pragma")).toEqual(["no-cache"]);
    expect(answer.lines("X-Request-Id")).toHaveLength(1);
    for (const none of ["ETag", "Last-Modified", "Expires", "Server", "X-Powered-By"])
      expect([none, answer.lines(none)]).toEqual([none, []]);
    expect(answer.headerNames.filter((each) => /^access-control|remix/.test(each))).toEqual([]);
    expectPolicy(answer, policy, https);
    expect(answer.header("Content-Type") ?? "").not.toMatch(SCRIPT);
    if (status === 405) expect(answer.header("Allow")).toMatch(/^GET, HEAD/);
  });

  test("[F9, S55] a form that is refused in a session is stored nowhere", async () => {
    const customer = new Visitor(portal);
    await customer.accept();
    await customer.login(PIOTR);
    const pending = await customer.post("/home/mfa", { intent: "confirm" });
    await customer.confirm(await portal.lastCode(PIOTR.phone));
    const signedIn = await customer.post("/home/change-password", { intent: "confirm" });
    for (const { status, lines } of [pending, signedIn])
      expect([status, lines("Cache-Control")]).toEqual([400, ["no-store"]]);
  });

  test("[S53] every cookie of a whole sign-in belongs to this host only and is hidden from scripts", async () => {
    const walker = new Visitor(portal);
    const lines = await cookieLinesOfSignIn(portal, walker);
    const prefix = https ? "__Host-" : "";
    const names = new Set(lines.map((line) => line.slice(0, line.indexOf("="))));
    const own = ["browser", "session", "flow", "trusted-device"].map((name) => prefix + name);
    expect([...names].toSorted()).toEqual(["accepted-cookies", ...own].toSorted());
    for (const line of lines) {
      const attributes = line
        .split("; ")
        .slice(1)
        .filter((attribute) => !attribute.startsWith("Max-Age"));
      expect([line, attributes.toSorted()]).toEqual([
        line,
        ["HttpOnly", "Path=/", "SameSite=Lax", ...(https ? ["Secure"] : [])],
      ]);
      expect(line.length).toBeLessThan(4096);
    }
    const ages = new Map(
      lines.map((line) => [line.slice(0, line.indexOf("=")), /Max-Age=(\d+)/.exec(line)?.[1]]),
    );
    expect(ages.get("accepted-cookies")).toBe(String(LIMITS.COOKIE_CONSENT_SECONDS));
    expect(ages.get(`${prefix}trusted-device`)).toBe(String(LIMITS.TRUSTED_DEVICE_DAYS * 24 * 60 * 60));
  });

  test("[S59] a text message names the public host, whatever the request says", async () => {
    const sender = new Visitor(portal);
    await sender.accept();
    const headers = { "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example" };
    const answer = await sender.post(
      "/home?index",
      { username: ANNA.username, password: ANNA.password },
      { headers },
    );
    expect(answer.header("Location")).toBe("/home/mfa");
    const { text } = (await portal.outbox())[0] ?? { text: "" };
    expect(text).not.toContain("evil");
    if (https) expect(text).toMatch(/@portal\.example #\d{6}$/);
  });
});

function expectPolicy(answer: HttpAnswer, expected: Policy, https: boolean): void {
  const [policy = "", ...more] = answer.lines("Content-Security-Policy");
  expect(more).toEqual([]);
  if (expected === "no page") {
    expect(policy).toBe(STATIC_POLICY);
    return;
  }
  expect(answer.header("Content-Type")).toBe("text/html; charset=utf-8");
  expect(policy).toMatch(
    new RegExp(
      `^default-src 'none'; script-src 'self'; style-src 'self' 'sha256-[\\w+/=]{44}'; img-src 'self'; font-src 'self'; ` +
        `connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'${https ? "; upgrade-insecure-requests" : ""}$`,
    ),
  );
}

/** Every Set-Cookie line, from the first page to the last. */
async function cookieLinesOfSignIn(portal: Portal, walker: Visitor): Promise<string[]> {
  const lines: string[] = [];
  const step = async (answer: Promise<HttpAnswer>) => lines.push(...(await answer).lines("Set-Cookie"));
  await step(walker.post("/home/cookies"));
  await step(walker.get("/home"));
  await step(walker.login(ANNA));
  await step(walker.confirm(await portal.lastCode(ANNA.phone), true));
  await step(walker.get("/cp"));
  await step(walker.post("/home/logout"));
  return lines;
}
