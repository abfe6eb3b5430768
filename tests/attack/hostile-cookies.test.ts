import { beforeAll, describe, expect, test } from "vitest";
import { ANNA } from "../demo-customers";
import { IS_RELEASE } from "../release-run";
import { Visitor } from "../visitor";
import { expectDecent, expectNotRun } from "./decency";
import { GROUNDS, startedOn, type Started } from "./ground";

describe.each(GROUNDS)("at %s", (ground) => {
  const portalHere = startedOn(ground, { LIMIT_PASSWORD_TRIES: "100000" });
  let portal: Started;
  let signedOut: Visitor;
  let pending: Visitor;

  beforeAll(async () => {
    portal = portalHere();
    signedOut = new Visitor(portal);
    await signedOut.accept();
    pending = new Visitor(portal);
    await pending.begin(ANNA);
  });

  describe("[S66] cookies that the portal did not set", () => {
    const prefix = ground === "a topology" ? "__Host-" : "";
    const NAMES = [
      "accepted-cookies",
      ...["flow", "session", "browser", "trusted-device", "trusted-device-2", "language"].map(
        (name) => `${prefix}${name}`,
      ),
    ];
    const VALUES: readonly [string, string][] = [
      ["nothing", ""],
      ["one character", "x"],
      ["an escaped NUL", "%00"],
      ["a broken escape", "%zz%"],
      ["quotes", '"a\\"b"'],
      ["JSON", '{"a":[1,2]}'],
      ["bytes above 127", "\u00c3\u00b3\u00ff"],
      ["SQL", "' OR 1=1 --"],
      ["something like a token", "A".repeat(43)],
      ["an unsigned token", "eyJhbGciOiJub25lIn0.eyJmbG93Ijp7Im5hbWUiOiJzaWduLWluIn19."],
      ["a token of five empty parts", "...."],
      ["the name of a prototype", "__proto__"],
      ["eight kilobytes", "a".repeat(8 * 1024)],
    ];

    const PATHS = ["/home", "/home/mfa", "/cp", "/home/logout", "/home/api/user/info"];

    test.each(VALUES)("hold %s", async (what, value) => {
      const row = VALUES.findIndex(([each]) => each === what);
      for (const [column, name] of NAMES.entries()) {
        // Each value in each cookie at one address, and in one of them at a sign-in; before a release everywhere.
        for (const path of IS_RELEASE
          ? PATHS
          : PATHS.filter((_, at) => at === (row + column) % PATHS.length)) {
          const visitor = signedOut.twin();
          visitor.cookies.set(name, value);
          expectDecent(await visitor.get(path), `GET ${path} with ${name}`);
        }
        if (!IS_RELEASE && column !== row % NAMES.length) continue;
        const visitor = signedOut.twin();
        visitor.cookies.set(name, value);
        const answer = await visitor.login({ username: "kanarek.nikt", password: "Kanarek-Haslo-77!" });
        expect([name, answer.status]).toEqual([name, 400]);
        expectDecent(answer, `POST /home with ${name}`);
      }
    });

    test("a header with nothing but separators, and one with every name twice", async () => {
      for (const cookie of [
        ";;;=;=;",
        "session",
        "=",
        "session=a; session=b; flow=c; flow=d",
        "__proto__=1; constructor=2",
        "a=b, c=d",
      ]) {
        for (const path of ["/home", "/cp", "/home/api/user/info"]) {
          expectDecent(
            await new Visitor(portal).get(path, { headers: { Cookie: cookie } }),
            `${path} with ${cookie}`,
          );
        }
      }
    });
  });

  test("[S58, S66, S69] nothing in an address is repeated or followed by a page", async () => {
    const QUERIES = [
      "?username=<script>alert(1)</script>",
      "?%3Cscript%3Ealert(1)%3C/script%3E",
      "?blocked=%00%FF",
      "?x=%ED%A0%80",
      "?redirectTo=https://evil.example&next=//evil.example",
      "?a[]=1&a[__proto__]=2",
      `?q=${"a".repeat(10_000)}`,
      "?%",
      "?=&&&",
    ];
    for (const query of QUERIES) {
      for (const path of ["/home", "/cp", "/nie-ma", "/home/logout"]) {
        const answer = await signedOut.twin().get(path + query);
        expectDecent(answer, path + query);
        expectNotRun(answer);
      }
    }
  });

  test("[S93] the process has written no cookie and logged no error", () => {
    const log = portal.log();
    for (const value of ["A".repeat(43), "eyJhbGciOiJub25lIn0", "OR 1=1", ...pending.cookies.values()]) {
      if (value !== "true") expect(log.includes(value), value).toBe(false);
    }
    expect(log).not.toMatch(/"level":"error"/);
  });
});
