import { describe, expect, it } from "vitest";
import { type Instead, startFalseIssuer } from "../../help-desk/issuer";
import { answering, find } from "./found";

describe("portal doctor, where there is a help desk", () => {
  it("asks the staff's issuer for its configuration, its keys and its time", async () => {
    const issuer = await startFalseIssuer();
    const asked = (ahead = 0) =>
      find("staff's issuer", { HELP_DESK_ISSUER: issuer.issuer }, () => Date.now() + ahead);
    expect(await asked()).toMatchObject({ level: "ok", text: `${issuer.issuer} answers, and has keys` });
    expect(await asked(60_000)).toMatchObject({
      level: "warning",
      text: expect.stringMatching(/the clocks are off: they differ by (?:59|60)\./) as string,
    });
    const bent = async (path: string, instead: Instead) => {
      issuer.instead.set(path, instead);
      const { level, text } = (await asked()) ?? {};
      issuer.instead.clear();
      return [level, text];
    };
    const configuration = "/.well-known/openid-configuration";
    for (const [path, instead, words] of [
      [configuration, "cut", /does not answer \(UND_ERR_SOCKET\): see whether this machine reaches it/],
      [configuration, { status: 404 }, /not usably \(OAUTH_RESPONSE_IS_NOT_CONFORM\)/],
      ["/jwks", "cut", /does not answer \(UND_ERR_SOCKET\)/],
      ["/jwks", { status: 200, type: "text/html", body: "<p>" }, /does not answer with keys/],
      ["/jwks", { status: 200, body: '{"keys":[{"kty":"oct"}]}' }, /no key for RS256, PS256 or ES256/],
    ] as const)
      expect(await bent(path, instead)).toEqual(["warning", expect.stringMatching(words)]);
    expect(await find("staff's issuer", {})).toMatchObject({
      level: "ok",
      text: "not looked at: HELP_DESK_ISSUER is not set",
    });
  });

  it("asks the help desk whether it is ready, where nginx' template doesn't hide it", async () => {
    const answers = new Map([["/healthz", 200]]);
    const port = await answering(({ url = "" }, response) => {
      const status = answers.get(url) ?? 404;
      response.writeHead(status).end(status === 200 ? "ok\n" : "not ready: database\n");
    });
    const origin = `http://127.0.0.1:${port}`;
    const asked = () => find("help desk", { HELP_DESK_ORIGIN: origin });
    expect(await asked()).toMatchObject({ level: "ok", text: `${origin} answers` });
    answers.set("/readyz", 200);
    expect(await asked()).toMatchObject({ level: "ok", text: `${origin} answers, and is ready` });
    answers.set("/readyz", 503);
    const said = `${origin}/readyz says "not ready: database": see the help desk's log`;
    expect(await asked()).toMatchObject({ level: "warning", text: said });
    answers.set("/healthz", 403);
    answers.delete("/readyz");
    expect(await asked()).toMatchObject({ level: "warning", text: expect.stringContaining("403") as string });
    expect(await find("help desk", { HELP_DESK_ORIGIN: "http://127.0.0.1:1" })).toMatchObject({
      level: "warning",
      text: expect.stringContaining("does not answer") as string,
    });
  });
});
