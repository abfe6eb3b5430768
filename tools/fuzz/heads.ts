import fc, { type Arbitrary } from "fast-check";
import { MARK, type CookieChange, type Head } from "./steps";
import { headerText } from "./values";

/** A head with nothing unusual. */
export const usualHead: Head = { headers: [] };

const NAMES = [
  "Accept",
  "Accept-Encoding",
  "Accept-Language",
  "User-Agent",
  "X-Forwarded-For",
  "X-Forwarded-Proto",
  "X-Forwarded-Host",
  "X-Request-Id",
  "X-Device-Name",
  "Referer",
  "Range",
  "If-None-Match",
  "If-Modified-Since",
  "Cache-Control",
  "Authorization",
  "X-HTTP-Method-Override",
  "X-Remix-Response",
  "Purpose",
];

/** Headers that decide whether a request is let in: rare, since a rejected request reaches no form. */
const DECIDING: readonly (readonly [string, string])[] = [
  ["Origin", "https://evil.example"],
  ["Origin", "null"],
  ["Sec-Fetch-Site", "cross-site"],
  ["Sec-Fetch-Dest", "image"],
  ["Sec-Purpose", "prefetch"],
  ["Host", "evil.example"],
  ["Host", "\u00ff"],
  ["Content-Encoding", "gzip"],
  ["Transfer-Encoding", "chunked"],
  ["Content-Type", "text/plain"],
  ["Content-Type", "application/json"],
  ["Content-Type", "application/json; charset=utf-16"],
  ["Content-Type", "application/x-www-form-urlencoded; charset=utf-16"],
  ["Content-Type", "multipart/form-data; boundary=x"],
  ["Content-Type", "a;b=c/d\u00ff"],
  ["Content-Type", ""],
];

const TOKENS = [
  "session",
  "browser",
  "trusted-device",
  "trusted-device-2",
  "flow",
  "language",
  "accepted-cookies",
  "__Host-session",
];
const JWE = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0";

const cookieText: Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...TOKENS, "__proto__", "", " flow", "\u00a0flow"),
    fc.oneof(
      fc.constantFrom("", "%", "%zz", '"', "=", "en", "A".repeat(43), "a".repeat(4000), `${JWE}..A.A.A`),
      headerText,
    ),
  )
  .map(([name, value]) => `${name}=${value}${MARK}`);

const cookies: Arbitrary<CookieChange> = fc.oneof(
  fc.constant<CookieChange>({ kind: "none" }),
  fc.constant<CookieChange>({ kind: "doubled" }),
  cookieText.map((text): CookieChange => ({ kind: "added", text })),
  fc.record({ kind: fc.constant("broken" as const), at: fc.nat({ max: 60 }), text: headerText }),
);

const header: Arbitrary<readonly [string, string]> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.constantFrom(...NAMES),
      headerText.map((text) => `${text}${MARK}`),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(...DECIDING) },
);

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND"];

/** Odd headers, cookies and methods; the last are rare, since they reach no form. */
export const heads: Arbitrary<Head> = fc.record({
  headers: fc.array(header, { maxLength: 3 }),
  cookies: rarely(cookies, 2),
  method: rarely(fc.constantFrom(...METHODS), 9),
});

function rarely<Odd>(odd: Arbitrary<Odd>, weight: number): Arbitrary<Odd | undefined> {
  return fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: odd });
}
