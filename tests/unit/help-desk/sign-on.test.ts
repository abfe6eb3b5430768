import { describe, expect, it } from "vitest";
import { metricsText } from "~/platform/telemetry/metrics.server";
import { MINUTE } from "~/platform/time.server";
import { freePort } from "../../free-port";
import { type ServedHelpDesk, serveHelpDesk } from "./help-desk-server";
import { CLIENT, type Falsehood, startFalseIssuer, startIssuer, withIssuer } from "./issuer";
import { Browser, refusals, SCREENS } from "./sign-on-browser";

const ANNA = { sub: "7", preferred_username: "anna", email: "anna@insurer.example", roles: ["portal-act"] };
const UWE = { sub: "8", preferred_username: "uwe", roles: "portal-look" };

async function atIssuer() {
  const port = await freePort();
  const issuer = await startIssuer(`http://127.0.0.1:${port}`);
  issuer.account = ANNA;
  const desk = await serveHelpDesk(withIssuer(issuer.issuer), { port, screens: SCREENS });
  return { issuer, desk, browser: new Browser(desk) };
}

async function atFalseIssuer(variables: Readonly<Record<string, string>> = {}) {
  const issuer = await startFalseIssuer();
  const desk = await serveHelpDesk({ ...withIssuer(issuer.issuer), ...variables }, { screens: SCREENS });
  return { issuer, desk, browser: new Browser(desk) };
}

const events = async ({ place }: ServedHelpDesk) =>
  (await place.query("select event, operator, reason, device_name from audit_events order by id")).map(
    ({ event, operator, reason, device_name: source }) => [event, operator, reason, source],
  );
/** For the alarm HelpDeskRefusals. */
const countedRefusals = async () =>
  Number(/^portal_help_desk_sign_ons_total\{result="refused"\} (\d+)$/m.exec(await metricsText())?.[1]);

describe("sign-on at the insurer's issuer", () => {
  it("leads back to the page that was asked for, names the person, and is in the audit", async () => {
    const { desk, browser } = await atIssuer();
    const answer = await browser.open("/help-desk/act/unlock");
    expect([answer.status, answer.body.includes("anna (może zmieniać)")]).toEqual([200, true]);
    expect(browser.went.at(-1)).toBe(`${desk.origin}/help-desk/act/unlock`);
    const asked = new URL(browser.went.find((address) => address.includes("code_challenge")) ?? "");
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      redirect_uri: `${desk.origin}/help-desk/sign-on/answer`,
      scope: "openid profile email phone",
    });
    expect(await events(desk)).toEqual([["staff-signed-on", "anna (7)", "may act", "help-desk"]]);
  });

  it("lets a role look without acting, and no role do neither", async () => {
    const { desk, issuer, browser } = await atIssuer();
    issuer.account = UWE;
    expect((await browser.open("/help-desk")).body).toContain("uwe (może oglądać)");
    const refused = await browser.open("/help-desk/act/unlock");
    expect([refused.status, refused.body.includes("tylko oglądać")]).toEqual([403, true]);
    expect((await browser.at(desk.origin).post("/help-desk/act/unlock")).status).toBe(403);

    const other = new Browser(desk);
    issuer.account = { ...ANNA, sub: "9", roles: ["somebody-else's"] };
    const withoutRole = await other.open("/help-desk");
    expect([withoutRole.status, withoutRole.body.includes("portal-look")]).toEqual([403, true]);
    expect(other.at(desk.origin).cookies.has("help-desk-session")).toBe(false);
    expect((await events(desk)).at(-1)).toEqual(["staff-refused", "anna (9)", "no role", "help-desk"]);
  });

  it("asks for a new proof before a grave act, and comes back to it", async () => {
    const { issuer, browser } = await atIssuer();
    issuer.provenAgo = 20 * 60;
    expect((await browser.open("/help-desk")).status).toBe(200);
    browser.went.length = 0;
    const answer = await browser.open("/help-desk/act/grave");
    expect([answer.status, browser.went.at(-1)]).toEqual([
      200,
      expect.stringMatching(/\/help-desk\/act\/grave$/),
    ]);
    expect(browser.went.some((address) => address.includes("max_age=300"))).toBe(true);
    browser.went.length = 0;
    await browser.open("/help-desk/act/grave");
    expect(browser.went).toEqual([]);
  });

  it("refuses an answer to somebody else's sign-on, and a person's own refusal", async () => {
    const { desk, issuer, browser } = await atIssuer();
    const before = await countedRefusals();
    await browser.open("/help-desk", "/sign-on/answer");
    const [answer = ""] = browser.went.slice(-1);
    const stranger = await new Browser(desk).open(answer);
    expect([stranger.status, stranger.body.includes("Nie udało się zalogować")]).toEqual([400, true]);
    issuer.account = undefined;
    expect((await new Browser(desk).open("/help-desk")).status).toBe(400);
    expect(refusals(desk)).toEqual(["no-attempt", "access_denied"]);
    expect((await countedRefusals()) - before).toBe(2);
  });

  it("begun in two tabs, or answered again, leads on where a session is open", async () => {
    const { desk, browser } = await atIssuer();
    await browser.open("/help-desk/act/unlock", "/sign-on/answer");
    const first = browser.went.at(-1) ?? "";
    await browser.open("/help-desk/act/enable", "/sign-on/answer");
    const second = browser.went.at(-1) ?? "";
    browser.went.length = 0;
    // Signed off: it begins again once, by itself. The issuer knows the person by now.
    expect((await browser.open(first)).status).toBe(200);
    expect(browser.went.at(-1)).toBe(`${desk.origin}/help-desk/act/enable`);
    expect(browser.went.filter((address) => address.includes("code_challenge"))).toHaveLength(1);
    for (const address of [first, second, browser.went.find((went) => went.includes("code=")) ?? ""]) {
      browser.went.length = 0;
      expect((await browser.open(address)).status).toBe(200);
      expect(browser.went).toEqual([`${desk.origin}/help-desk`]);
    }
    expect([refusals(desk), (await events(desk)).length]).toEqual([[], 1]);
  });

  it("begins again once only, and never for an answer without an attempt of this browser", async () => {
    const { desk, browser } = await atIssuer();
    await browser.open("/help-desk", "/sign-on/answer");
    const stale = (browser.went.at(-1) ?? "").replace(/state=[^&]+/, "state=other");
    await browser.open(stale, "code_challenge");
    expect((await browser.open(stale)).status).toBe(400);
    browser.at(desk.origin).cookies.clear();
    browser.went.length = 0;
    expect([(await browser.open(stale)).status, browser.went]).toEqual([400, []]);
    expect(refusals(desk)).toEqual(["state", "no-attempt"]);
  });

  it("begins again after a code that was used", async () => {
    const { issuer, browser } = await atFalseIssuer();
    await browser.open("/help-desk", "/sign-on/answer");
    issuer.instead.set("/token", { status: 400, body: JSON.stringify({ error: "invalid_grant" }) });
    await browser.open(browser.went.at(-1) ?? "", "code_challenge");
    expect(browser.went.at(-1)).toContain("code_challenge");
    issuer.instead.clear();
    expect((await browser.open(browser.went.at(-1) ?? "")).status).toBe(200);
  });

  it("ends at the sign-out, here and at the issuer", async () => {
    const { desk, issuer, browser } = await atIssuer();
    await browser.open("/help-desk");
    const answer = await browser.at(desk.origin).post("/help-desk/sign-out");
    const out = new URL(answer.header("Location") ?? "");
    expect([answer.status, out.origin, Object.fromEntries(out.searchParams)]).toEqual([
      303,
      issuer.issuer,
      { client_id: CLIENT.id, post_logout_redirect_uri: `${desk.origin}/help-desk/signed-out` },
    ]);
    expect(browser.at(desk.origin).cookies.size).toBe(0);
    expect((await browser.open("/help-desk/signed-out")).status).toBe(200);
  });

  it("lasts an hour, and ends after a quarter of one without a request", async () => {
    const { desk, browser } = await atIssuer();
    await browser.open("/help-desk");
    const staff = browser.at(desk.origin);
    const statusIn = async (minutes: number) => {
      desk.ahead += minutes * MINUTE;
      return (await staff.get("/help-desk")).status;
    };
    for (const pause of [14, 14, 14, 14]) expect(await statusIn(pause)).toBe(200);
    expect(await statusIn(5)).toBe(303);
    await browser.open("/help-desk");
    expect(await statusIn(16)).toBe(303);
  });

  it("opens no cookie that was changed, or sealed for something else", async () => {
    const { desk, browser } = await atIssuer();
    await browser.open("/help-desk", "/sign-on/answer");
    const staff = browser.at(desk.origin);
    const attempt = staff.cookies.get("help-desk-sign-on") ?? "";
    staff.cookies.set("help-desk-session", attempt);
    expect((await staff.get("/help-desk")).status).toBe(303);
    staff.cookies.set("help-desk-sign-on", `${attempt.slice(0, -2)}AA`);
    expect((await browser.open(browser.went.at(-1) ?? "")).status).toBe(400);
  });
});

it("[S104] takes a long answer at the answer's address alone, and logs why an issuer refused", async () => {
  const { issuer, desk } = await atFalseIssuer();
  issuer.says = { code: "c".repeat(12_000), session_state: "s".repeat(3000) };
  const browser = new Browser(desk);
  expect((await browser.open("/help-desk")).status).toBe(200);
  const staff = browser.at(desk.origin);
  for (const [path, characters, status] of [
    ["/help-desk/sign-on/answer", 16_385, 414],
    ["/help-desk/sign-on/answer/", 2001, 414],
    ["/help-desk/sign-o%6e/answer", 2001, 414],
    ["/help-desk/sign-on", 2001, 414],
    ["/help-desk", 2001, 414],
  ] as const)
    expect((await staff.get(`${path}?${"a".repeat(characters - path.length - 1)}`)).status).toBe(status);

  issuer.says = { error: "AADB2C90118", error_description: "d".repeat(14_000) };
  const refused = await new Browser(desk).open("/help-desk");
  expect([refused.status, refusals(desk)]).toEqual([400, ["AADB2C90118"]]);
  // Its address holds the issuer's answer, and no link of the page tells it.
  expect(refused.body).toContain('<meta name="referrer" content="no-referrer"/>');
});

describe("[S97] an issuer's answer that isn't right", () => {
  const past = Math.floor(Date.now() / 1000) - 3600;
  const OAUTH = expect.stringMatching(/^OAUTH_/) as string;
  it.each<[what: string, falsehood: Falsehood, reason: string]>([
    ["another nonce", { claims: { nonce: "other" } }, OAUTH],
    ["another issuer", { claims: { iss: "https://other.example" } }, "issuer"],
    ["another audience", { claims: { aud: "other" } }, OAUTH],
    ["an expired token", { claims: { exp: past } }, OAUTH],
    ["an unknown key", { unknownKey: true }, OAUTH],
    ["an algorithm that we don't take", { alg: "ES384" }, "algorithm"],
    ["no subject", { claims: { sub: "" } }, expect.stringMatching(/^OAUTH_|^subject$/) as string],
    ["another client's azp", { claims: { azp: "other" } }, "azp"],
    ["a time of issue an hour ahead", { claims: { iat: past + 7200, exp: past + 10_800 } }, "iat"],
    ["a signature by the client's secret", { alg: "HS256" }, "algorithm"],
  ])("with %s, is one page and one line in the log", async (_what, falsehood, reason) => {
    const { issuer, desk, browser } = await atFalseIssuer();
    issuer.falsehood = falsehood;
    const answer = await browser.open("/help-desk");
    expect([answer.status, browser.at(desk.origin).cookies.has("help-desk-session")]).toEqual([400, false]);
    expect(refusals(desk)).toEqual([reason]);
    expect(await events(desk)).toEqual([]);
  });

  it("with another issuer's name beside the code, or with none, is refused (RFC 9207)", async () => {
    const { issuer, desk } = await atFalseIssuer();
    for (const iss of ["https://other.example", undefined]) {
      issuer.iss = iss;
      expect((await new Browser(desk).open("/help-desk")).status).toBe(400);
    }
  });

  it("with a proof of the future, is a proof of now, and a contact too long for a cookie is none", async () => {
    const { issuer, desk, browser } = await atFalseIssuer();
    issuer.falsehood = { claims: { auth_time: Date.now(), email: "a".repeat(5000) } };
    expect((await browser.open("/help-desk/act/grave")).status).toBe(200);
    expect(browser.at(desk.origin).cookies.get("help-desk-session")?.length).toBeLessThan(1000);
    desk.ahead += 6 * MINUTE;
    const stale = await browser.open("/help-desk/act/grave", "fresh=1");
    expect(stale.status).toBe(303);
  });

  it("is right with each of three algorithms, and a proof that is too old is none", async () => {
    const { issuer, desk } = await atFalseIssuer();
    for (const alg of ["RS256", "PS256", "ES256"]) {
      issuer.falsehood = { alg };
      const browser = new Browser(desk);
      expect((await browser.open("/help-desk")).status).toBe(200);
      // This issuer doesn't say that it knows the scope for phone numbers.
      expect(browser.went.find((address) => address.includes("scope="))).toMatch(
        /scope=openid\+profile\+email&/,
      );
    }
    for (const claims of [{ auth_time: past }, { auth_time: undefined }]) {
      issuer.falsehood = { claims };
      const browser = new Browser(desk);
      expect((await browser.open("/help-desk")).status).toBe(200);
      expect((await browser.open("/help-desk/act/grave")).status).toBe(400);
    }
  });
});

it("lets forms lead to the issuer's sign-out, also when no one has signed on since the start", async () => {
  const { issuer, desk } = await atFalseIssuer();
  const targets = async () => {
    const page = await desk.visitor().get("/help-desk/signed-out");
    return /form-action ([^;]*)/.exec(page.header("Content-Security-Policy") ?? "")?.[1];
  };
  await expect.poll(targets).toBe(`'self' ${issuer.issuer} https://sign-out.example`);
});

describe("roles in the ID token", () => {
  it.each<[what: string, claim: string, claims: Record<string, unknown>, outcome: string]>([
    ["a list in a path", "realm_access.roles", { realm_access: { roles: ["portal-act"] } }, "może zmieniać"],
    [
      "a claim whose name has dots before a path",
      "https://insurer.example/roles",
      {
        "https://insurer.example/roles": ["portal-look"],
        "https://insurer": { "example/roles": ["portal-act"] },
      },
      "może oglądać",
    ],
    ["one text of words between spaces", "roles", { roles: "portal-look portal-act" }, "może zmieniać"],
    ["one text of words between commas", "roles", { roles: "a:b,portal-act" }, "może zmieniać"],
    ["a text with anything else", "roles", { roles: "portal-look, portal-act" }, "no-role"],
    ["a list, which is never parted", "roles", { roles: ["portal-look portal-act"] }, "no-role"],
    ["a list of other things", "roles", { roles: [{ name: "portal-act" }, 7] }, "no-role"],
    ["no such claim", "roles", { roles: undefined }, "no-roles-claim"],
    ["nothing at the end of a path", "realm_access.roles", { realm_access: {} }, "no-roles-claim"],
  ])("%s", async (_what, claim, claims, outcome) => {
    const { issuer, desk, browser } = await atFalseIssuer({ HELP_DESK_ROLES_CLAIM: claim });
    issuer.falsehood = { claims: { roles: undefined, ...claims } };
    const answer = await browser.open("/help-desk");
    if (outcome.startsWith("no-")) expect([answer.status, refusals(desk)]).toEqual([403, [outcome]]);
    else expect([answer.status, answer.body.includes(outcome)]).toEqual([200, true]);
  });
});

it("says that the issuer can't be reached, and signs on as soon as it can", async () => {
  const port = await freePort();
  const desk = await serveHelpDesk(withIssuer(`http://127.0.0.1:${port}`), { screens: SCREENS });
  const answer = await new Browser(desk).open("/help-desk");
  expect([answer.status, answer.body.includes("Logowanie firmowe nie odpowiada")]).toEqual([503, true]);
  await startFalseIssuer(port);
  expect((await new Browser(desk).open("/help-desk")).status).toBe(200);
});
