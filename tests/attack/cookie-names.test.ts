import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cookiesAt } from "~/backend/calls/cookies.server";
import { cookiesForBackend, setCookieLinesForBrowser } from "~/visit/backend-client/attached-cookies";
import { CookieJar } from "~/visit/backend-client/attached-cookies";
import { ANNA } from "../demo-customers";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";

const ORIGIN = "https://portal.example";
const NAMES = [
  "accepted-cookies",
  "__Host-flow",
  "__Host-language",
  "__Host-session",
  "__Host-browser",
  "__Host-trusted-device",
  "__Host-trusted-device-2",
];

/** Those blank or invisible characters that fit in a header: Node reads and writes its bytes as Latin-1. */
const BLANKS_IN_HEADERS: readonly string[] = [
  "\x85",
  "\xa0",
  "\xad",
  ...["\u00a0", "\u2003", "\u2028", "\u3000", "\ufeff"].map(asBytes),
];

function asBytes(character: string): string {
  return Buffer.from(character, "utf8").toString("latin1");
}

/** Names that a careless parser mistakes for this one. */
function lookalikes(name: string, characters: readonly string[]): string[] {
  return characters.flatMap((one) => [
    `${one}${name}`,
    `${name}${one}`,
    ` ${one} ${name}`,
    `${name}\t${one}`,
  ]);
}

/** Every character some library treats as blank, and every control character: next to a name, each is part of it. */
const NO_BLANKS = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
  (character) =>
    !" \t".includes(character) && (/^[\s\p{Cc}\p{Cf}]$/u.test(character) || character.trim() === ""),
);

describe("[S109] a cookie's name is its bytes", () => {
  let portal: Portal;
  let customer: Visitor;
  beforeAll(async () => {
    portal = await startPortal({ publicOrigin: ORIGIN });
    customer = new Visitor(portal);
    await customer.signIn(ANNA, true);
  });
  afterAll(() => portal.stop());

  it.each(["__Host-session", "accepted-cookies"])(
    "the portal never accepts a lookalike of %s",
    async (name) => {
      expect((await customer.get("/cp")).status).toBe(200);
      const value = customer.cookies.get(name) ?? "";
      // Each character and each place, not each with each.
      for (const lookalike of lookalikes(name, BLANKS_IN_HEADERS).filter((_, at) => at % 3 === 0)) {
        const other = customer.twin();
        other.cookies.delete(name);
        other.cookies.set(lookalike, value);
        const page = await other.get("/cp");
        expect([lookalike, page.status]).toEqual([lookalike, 302]);
        expect(page.header("Location")).toBe(name === "accepted-cookies" ? "/home/cookies" : "/home");
      }
    },
  );

  it("the portal never takes a lookalike for a language, a flow or a trusted device", async () => {
    const visitor = new Visitor(portal);
    await visitor.accept();
    await visitor.post("/home/remind-login-init", { policyNo: ANNA.policyNo });
    visitor.cookies.set("__Host-trusted-device", customer.cookies.get("__Host-trusted-device") ?? "");
    visitor.cookies.set("__Host-language", "en");
    expect((await visitor.get("/home/remind-login-submit")).body).toContain('<html lang="en">');
    for (const character of BLANKS_IN_HEADERS) {
      const other = visitor.twin();
      for (const name of ["__Host-language", "__Host-flow", "__Host-trusted-device"]) {
        other.cookies.delete(name);
        other.cookies.set(`${character}${name}`, visitor.cookies.get(name) ?? "");
      }
      expect((await other.get("/home")).body).toContain('<html lang="pl">');
      expect((await other.get("/home/remind-login-submit")).status).toBe(302);
      expect((await other.login(ANNA)).header("Location")).toBe("/home/mfa");
    }
    expect((await visitor.login(ANNA)).header("Location")).toBe("/cp");
  });

  it("a space or tab beside the name is ignored", async () => {
    const other = customer.twin();
    other.cookies.delete("__Host-session");
    other.cookies.set(" \t __Host-session \t", ` \t${customer.cookies.get("__Host-session") ?? ""} `);
    expect((await other.get("/cp")).status).toBe(200);
  });

  it("the embedded backend reads no lookalike", () => {
    const cookies = cookiesAt(ORIGIN);
    const token = "A".repeat(43);
    const read = (name: string) => cookies.read(`${name}=${token}`);
    expect(read(" \t__Host-session ")).toEqual({ session: token });
    const names = ["__Host-session", "__Host-browser", "__Host-trusted-device", "__Host-trusted-device-4"];
    const all = names.flatMap((name) => lookalikes(name, NO_BLANKS));
    expect(
      all.filter((lookalike) => Object.values(read(lookalike)).some((value) => value !== undefined)),
    ).toEqual([]);
  });

  it("an attached backend is sent no lookalike, under either name", () => {
    const all = ["session", "__Host-session"].flatMap((name) => lookalikes(name, NO_BLANKS));
    for (const https of [true, false])
      expect(all.filter((lookalike) => cookiesForBackend(`${lookalike}=a`, https) !== "")).toEqual([]);
  });
});

it("[S109] no lookalike that an attached backend sets reaches the browser or replaces another cookie", () => {
  const taken = NAMES.flatMap((name) =>
    lookalikes(name, NO_BLANKS).filter((lookalike) => {
      const jar = new CookieJar(`${name}=own`, ["accepted-cookies", "flow", "language"], () => undefined);
      const before = jar.has(name);
      jar.set(`${lookalike}=planted; Path=/`);
      return (
        setCookieLinesForBrowser([`${lookalike}=planted`], "", true, 0).length > 0 ||
        jar.has(name) !== before ||
        jar.header.split("; ").includes(`${name}=planted`)
      );
    }),
  );
  expect(taken).toEqual([]);
});
