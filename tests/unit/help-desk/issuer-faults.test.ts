import { createServer } from "node:https";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { discoverIssuer, type IssuerFault } from "~/platform/network/issuer.server";
import { HOUR } from "~/platform/time.server";
import { freePort } from "../../free-port";
import { makeCertificate } from "../../topology/certificate";
import { type ServedHelpDesk, serveHelpDesk } from "./help-desk-server";
import { type FalseIssuer, type Instead, startFalseIssuer, withIssuer } from "./issuer";
import { Browser, refusals, SCREENS } from "./sign-on-browser";

const UNREACHABLE = "Logowanie firmowe nie odpowiada";
const UNUSABLE = "Logowanie firmowe odpowiada, ale";
const HTML: Instead = { status: 200, type: "text/html", body: "<p>Welcome" };

/** What the log says about the issuer. */
const warnings = ({ log }: ServedHelpDesk) =>
  log().flatMap(({ event, reason, level, msg }) =>
    String(event).startsWith("issuer-") ? [[level, event, reason, msg]] : [],
  );

async function bent(bend: (issuer: FalseIssuer) => void) {
  const issuer = await startFalseIssuer();
  bend(issuer);
  const desk = await serveHelpDesk(withIssuer(issuer.issuer), { screens: SCREENS });
  return { issuer, desk, browser: new Browser(desk) };
}

describe("an issuer whose configuration is no use", () => {
  it.each<[what: string, bend: (issuer: FalseIssuer) => void, page: string, code: string, words: RegExp]>([
    [
      "names itself with a slash at the end",
      (issuer) => (issuer.configuration = { issuer: `${issuer.issuer}/` }),
      UNUSABLE,
      "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
      /names itself http:[^ ]+\/, and HELP_DESK_ISSUER is http:[^ ]+\d: write the first, letter for letter/,
    ],
    [
      "names another issuer",
      (issuer) => (issuer.configuration = { issuer: "https://other.example/realm" }),
      UNUSABLE,
      "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
      /names itself https:\/\/other\.example\/realm, and HELP_DESK_ISSUER is http:/,
    ],
    [
      "answers with HTML",
      ({ instead }) => instead.set("/.well-known/openid-configuration", HTML),
      UNUSABLE,
      "OAUTH_RESPONSE_IS_NOT_JSON",
      /openid-configuration/,
    ],
    [
      "answers with 500",
      ({ instead }) => instead.set("/.well-known/openid-configuration", { status: 500 }),
      UNUSABLE,
      "OAUTH_RESPONSE_IS_NOT_CONFORM",
      /openid-configuration/,
    ],
    [
      "has no address to sign on at",
      (issuer) => (issuer.configuration = { authorization_endpoint: undefined }),
      UNUSABLE,
      "OAUTH_INVALID_SERVER_METADATA",
      /openid-configuration/,
    ],
    [
      "cuts the connection",
      ({ instead }) => instead.set("/.well-known/openid-configuration", "cut"),
      UNREACHABLE,
      "UND_ERR_SOCKET",
      /whether this machine reaches it/,
    ],
  ])("and %s", async (_what, bend, page, code, words) => {
    const { desk, browser, issuer } = await bent(bend);
    await expect.poll(() => warnings(desk)).toHaveLength(1);
    const asked = issuer.asked;
    const answers = await Promise.all(Array.from({ length: 5 }, () => new Browser(desk).open("/help-desk")));
    for (const answer of answers) expect([answer.status, answer.body.includes(page)]).toEqual([503, true]);
    // One line for each answer, however many waited for it.
    expect(warnings(desk)).toHaveLength(1 + issuer.asked - asked);
    for (const [level, , reason, msg] of warnings(desk))
      expect([level, reason, msg]).toEqual(["warn", code, expect.stringMatching(words)]);

    const staff = browser.at(desk.origin);
    const cookies = ["session", "chosen", "sign-on", "interrupted"];
    for (const name of cookies) staff.cookies.set(`help-desk-${name}`, "sealed");
    const outs = await Promise.all(Array.from({ length: 5 }, () => staff.post("/help-desk/sign-out")));
    for (const out of outs) {
      expect([out.status, out.header("Location")]).toEqual([303, "/help-desk/signed-out"]);
      expect(out.lines("Set-Cookie").filter((line) => line.includes("Max-Age=0"))).toHaveLength(
        cookies.length,
      );
    }
  });

  it("and whose certificate no authority here knows", async () => {
    const folder = await mkdtemp(join(tmpdir(), "own-authority-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { certificate, key } = await makeCertificate(folder);
    const files = { cert: await readFile(certificate), key: await readFile(key) };
    const port = await freePort();
    const server = createServer(files, (_request, response) => response.end()).listen(port, "127.0.0.1");
    onTestFinished(() => void server.close());
    const desk = await serveHelpDesk(withIssuer(`https://127.0.0.1:${port}`), { screens: SCREENS });
    expect((await new Browser(desk).open("/help-desk")).body).toContain(UNUSABLE);
    const [, event, code, msg] = warnings(desk)[0] ?? [];
    expect([event, code]).toEqual(["issuer-unusable", "DEPTH_ZERO_SELF_SIGNED_CERT"]);
    expect(msg).toContain("NODE_EXTRA_CA_CERTS");
  });

  it.each([
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unusable", "NODE_EXTRA_CA_CERTS"],
    ["CERT_HAS_EXPIRED", "unusable", "its days"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "unusable", "its name"],
    ["ECONNREFUSED", "unreachable", "reaches it"],
  ])("or is met with %s", async (code, kind, words) => {
    const cause = Object.assign(new Error("no"), { code });
    const fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
    const fault = (await discoverIssuer(of("https://login.example"), fetch)) as IssuerFault;
    expect(fault).toMatchObject({ kind, code, advice: expect.stringContaining(words) as string });
  });
});

const of = (issuer: string) => ({
  PORTAL_MODE: "production" as const,
  HELP_DESK_ISSUER: issuer,
  HELP_DESK_CLIENT_ID: "a",
  HELP_DESK_CLIENT_SECRET: "b",
});

describe("[S97] Microsoft's hosts, past whose issuers the library looks", () => {
  const tenant = "8a6f7f51-5b9f-4e0c-9d53-2f6f5a4c3b21";
  const configuration = (issuer: string) => {
    const at = (path: string) => `https://login.microsoftonline.com/${path}`;
    const found = { issuer, authorization_endpoint: at("a"), token_endpoint: at("t"), jwks_uri: at("k") };
    return () => Promise.resolve(Response.json(found));
  };
  const asked = (issuer: string, named: string) => discoverIssuer(of(issuer), configuration(named));

  it.each([
    [
      "many tenants",
      `https://login.microsoftonline.com/${tenant}/v2.0`,
      "https://login.microsoftonline.com/{tenantid}/v2.0",
    ],
    [
      "a tenant's earlier name",
      `https://login.microsoftonline.com/${tenant}`,
      `https://sts.windows.net/${tenant}/`,
    ],
    [
      "another policy",
      "https://insurer.b2clogin.com/insurer/staff/v2.0",
      `https://insurer.b2clogin.com/${tenant}/v2.0/`,
    ],
  ])("%s is refused", async (_what, issuer, named) => {
    expect(await asked(issuer, named)).toMatchObject({
      kind: "unusable",
      advice: expect.stringContaining(`names itself ${named}, and HELP_DESK_ISSUER is ${issuer}`) as string,
    });
  });

  it("one tenant under its own name is taken", async () => {
    const issuer = `https://login.microsoftonline.com/${tenant}/v2.0`;
    expect(await asked(issuer, issuer)).not.toHaveProperty("kind");
  });
});

it("[S97] a token of another issuer is refused in a line that names both", async () => {
  const { desk, issuer, browser } = await bent(() => undefined);
  issuer.falsehood = { claims: { iss: "https://sts.windows.net/other/" } };
  expect((await browser.open("/help-desk")).status).toBe(400);
  expect(refusals(desk)).toEqual(["issuer"]);
  const { msg } = desk.log().find(({ event }) => event === "staff-refused") ?? {};
  expect(msg).toContain(
    `names itself https://sts.windows.net/other/, and HELP_DESK_ISSUER is ${issuer.issuer}`,
  );
});

describe("an issuer that fails after its configuration was read", () => {
  it.each<[what: string, path: string, instead: Instead, page: string, code: string]>([
    ["no token", "/token", "cut", UNREACHABLE, "UND_ERR_SOCKET"],
    ["HTML for a token", "/token", HTML, UNUSABLE, "OAUTH_RESPONSE_IS_NOT_JSON"],
    ["403 for keys", "/jwks", { status: 403 }, UNUSABLE, "OAUTH_RESPONSE_IS_NOT_CONFORM"],
  ])("%s: is asked again for its configuration", async (_what, path, instead, page, code) => {
    const { desk, issuer, browser } = await bent(() => undefined);
    await expect.poll(() => issuer.asked).toBe(1);
    issuer.instead.set(path, instead);
    const answer = await browser.open("/help-desk");
    expect([answer.status, answer.body.includes(page)]).toEqual([503, true]);
    expect(warnings(desk).map(([, , reason]) => reason)).toEqual([code]);
    issuer.instead.clear();
    expect((await browser.open("/help-desk")).status).toBe(200);
    expect(issuer.asked).toBe(2);
    desk.ahead += HOUR;
    expect((await browser.open("/help-desk")).status).toBe(200);
    expect(issuer.asked).toBe(3);
  });
});
