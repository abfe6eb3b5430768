import type { Dice } from "./dice";
import { NTH, NTH_LENGTH } from "./recipe";

/** Node reads heads of 16 KB at most. */
const LONGEST = 15_000;
/** In characters. */
const TOKEN_LENGTH = 43;
const TOKEN = "A".repeat(TOKEN_LENGTH);
/** The protected header of the portal's own flow cookies; no key opens the rest, which is made up. */
const JWE = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0";
/** The same with a key from a password, hashed four billion times if the header is believed. */
const JWE_BY_PASSWORD = Buffer.from(
  JSON.stringify({ alg: "PBES2-HS256+A128KW", enc: "A256GCM", p2c: 4_000_000_000, p2s: "AAAA" }),
).toString("base64url");

const AGENTS = [
  "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
  "Lynx/2.9.0",
];
const AGENT_PIECES = [
  "Mozilla/5.0 (",
  "Android ",
  "like mac os x ",
  "Version/1.1.1.1",
  "a",
  "; ",
  "1_",
  " ",
  "Chrome/",
];
const HEADER_PIECES = [
  "a",
  ", ",
  ";q=0.1, ",
  "*/*;q=0.5,",
  "text/html;level=1,",
  "gzip;q=1.000, ",
  '"',
  "é",
  " ",
  "\t;",
  "=;",
];
const ADDRESS_PIECES = ["127.0.0.1, ", "1.2.3.4,", ",", "[::1]:80, ", "a", "::ffff:127.0.0.1,"];
const COOKIE_PIECES = ["a", "%", "%41", "%C5%BC", ".", "-_", '"', "="];

/** Makes one header's value, or none. */
type Value = (dice: Dice, origin: string) => string | undefined;

const HEADERS: Readonly<Record<string, Value>> = {
  Accept: (dice) => rarely(dice, () => dice.one(["text/html", "*/*", "application/json", odd(dice)])),
  "Accept-Encoding": (dice) =>
    dice.happens(0.5) ? dice.one(["gzip, deflate, br", "br", "gzip", "*", odd(dice)]) : undefined,
  "Accept-Language": (dice) => rarely(dice, () => odd(dice)),
  "User-Agent": (dice) =>
    dice.happens(0.6) ? dice.one(AGENTS) : dice.text(AGENT_PIECES, dice.size(LONGEST)),
  Referer: (dice, origin) =>
    rarely(dice, () => dice.one([`${origin}/home/cookies`, `${origin}/${odd(dice)}`, odd(dice)])),
  Origin: (dice, origin) =>
    dice.happens(0.8) ? origin : rarely(dice, () => dice.one(["null", "https://evil.example", odd(dice)])),
  "X-Forwarded-For": (dice) => rarely(dice, () => dice.text(ADDRESS_PIECES, dice.size(LONGEST))),
  "X-Forwarded-Proto": (dice) => rarely(dice, () => odd(dice)),
  "X-Request-Id": (dice) => rarely(dice, () => dice.one([`request-${NTH}`, odd(dice)])),
  "Sec-Fetch-Site": (dice) => rarely(dice, () => dice.one(["same-origin", "cross-site", odd(dice)])),
  "Sec-Purpose": (dice) => rarely(dice, () => "prefetch"),
  "If-None-Match": (dice) => rarely(dice, () => dice.text(['W/"a", ', "*", '"'], dice.size(LONGEST))),
  "If-Modified-Since": (dice) => rarely(dice, () => dice.one(["Sat, 21 Nov 2026 00:00:00 GMT", odd(dice)])),
  Range: (dice) =>
    rarely(dice, () => `bytes=${dice.text(["0-1,", "0-,", "-1,", "5-4,"], dice.size(LONGEST))}0-0`),
  Host: (dice) => (dice.happens(0.03) ? dice.one(["evil.example", odd(dice)]) : undefined),
};

/** Random headers, without cookies. */
export function randomHeaders(dice: Dice, origin: string): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, valueOf] of Object.entries(HEADERS)) {
    const value = valueOf(dice, origin);
    if (value !== undefined) headers[name] = value.slice(0, LONGEST).trim();
  }
  if (dice.happens(0.15)) {
    const count = dice.size(1000);
    const value = dice.text(HEADER_PIECES, dice.size(Math.max(1, 10_000 / count))).trim();
    for (let nth = 0; nth < count; nth += 1) headers[`X-${nth}`] = value;
  }
  return headers;
}

/** Random cookies; among them `real`, which the portal has set for an anonymous visitor. */
export function randomCookies(dice: Dice, real: readonly string[]): readonly string[] {
  if (dice.happens(0.1)) return [];
  const cookies = dice.happens(0.85) ? ["accepted-cookies=true"] : [];
  if (dice.happens(0.5)) cookies.push(`browser=${dice.one([TOKEN, token(), long(dice)])}`);
  if (dice.happens(0.3)) cookies.push(`session=${dice.one([TOKEN, token(), long(dice)])}`);
  if (dice.happens(0.2)) cookies.push(`trusted-device=${dice.one([TOKEN, token(), long(dice)])}`);
  if (dice.happens(0.3)) cookies.push(`flow=${forgedFlow(dice)}`);
  if (dice.happens(0.3)) cookies.push(dice.one(real));
  if (dice.happens(0.2)) cookies.push(`language=${dice.one(["en", "pl", long(dice)])}`);
  if (dice.happens(0.15)) {
    const count = dice.size(3000);
    for (let nth = 0; nth < count; nth += 1)
      cookies.push(dice.one(["a=b", "flow=a", "=", "language=en", "c=%41"]));
  }
  return cookies;
}

function forgedFlow(dice: Dice): string {
  return dice.one([
    `${JWE}..${"A".repeat(16)}.${"A".repeat(dice.size(LONGEST))}.${"A".repeat(22)}`,
    `${JWE_BY_PASSWORD}.${"A".repeat(54)}.${"A".repeat(16)}.${"A".repeat(22)}.${"A".repeat(22)}`,
    long(dice),
    `${JWE}.`.repeat(dice.size(200)),
  ]);
}

/** A token of the right form, different each time. */
function token(): string {
  return `${"B".repeat(TOKEN_LENGTH - NTH_LENGTH)}${NTH}`;
}

function long(dice: Dice): string {
  return dice.text(COOKIE_PIECES, dice.size(LONGEST));
}

function odd(dice: Dice): string {
  return dice.text(HEADER_PIECES, dice.size(LONGEST));
}

function rarely(dice: Dice, value: () => string): string | undefined {
  return dice.happens(0.12) ? value() : undefined;
}
