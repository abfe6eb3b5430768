import { readdirSync } from "node:fs";
import type { Dice } from "./dice";
import { NTH, type Recipe } from "./recipe";

/** Nearly as long as the longest head that Node reads; the portal serves 2,000 characters at most. */
const LONGEST = 15_000;
/** Nearly as long as the portal serves. */
const SERVED = 1900;

const SCREENS = [
  "/home",
  "/home/mfa",
  "/home/register",
  "/home/set-password",
  "/home/reset-password-init",
  "/home/reset-password-submit",
  "/home/remind-login-init",
  "/home/remind-login-submit",
  "/home/remind-login-final",
  "/home/confirm-login",
  "/home/change-login",
  "/home/change-password",
  "/home/create-document-password",
  "/home/cookies",
  "/home/logout",
  "/service",
  "/cp",
  "/cp/profile",
  "/cp/contact",
  "/",
];

const CALLS = [
  ["POST", "/home/api/auth/login"],
  ["POST", "/home/api/auth/passkey/init"],
  ["POST", "/home/api/auth/passkey/confirm"],
  ["POST", "/home/api/user/init"],
  ["GET", "/home/api/user/info"],
  ["DELETE", "/home/api/session"],
  ["POST", "/home/api/user/activate-session/init"],
  ["POST", "/home/api/user/activate-session/confirm"],
  ["POST", "/home/api/user/register/init"],
  ["POST", "/home/api/user/register/confirm"],
  ["POST", `/home/api/user/${NTH}/password-reset/init`],
  ["POST", "/home/api/user/anna.nowak/password-reset/confirm"],
  ["POST", "/home/api/user/login-remind/init"],
  ["POST", "/home/api/user/login-remind/confirm"],
  ["PUT", "/cp/api/doc-pwd/create/init"],
  ["GET", "/cp/api/policies"],
  ["GET", "/cp/api/profile"],
  ["DELETE", "/cp/api/trusted-devices"],
] as const;

const MACHINES = [
  "/healthz",
  "/readyz",
  "/.well-known/change-password",
  "/refused/404",
  "/robots.txt",
  "/favicon.svg",
  "/favicon.ico",
  "/documents/regulamin-portalu.pdf",
  `/documents/${NTH}.pdf`,
  `/assets/${NTH}.js`,
];

const SEGMENTS = [
  "/a",
  "/home",
  "/cp",
  "/%61",
  "/%2e",
  "/a%2Fb",
  "/%C5%BC",
  "/a.b",
  "/:a",
  "/*",
  "/~",
  "/;",
  "/é",
];
const PIECES = ["a", "%41", "%C5%BC", "%25", ".", "-", "a.", "é", "%F0%9F%98%80", "*", "(", "+", "\\", "//"];
const QUERY_PIECES = [
  "x=1&",
  "&",
  "=",
  "%",
  "+",
  "%C5%BC",
  "index&",
  "_data=root&",
  "_routes=root&",
  "_routes=root,",
  "back=%2Fhome&",
  "a[]=1&",
];

/** The address of a request, with the method that is usual there. */
type Address = Pick<Recipe, "place" | "method" | "path">;

type Maker = (dice: Dice) => Address;

const MAKERS: readonly Maker[] = [
  (dice) => named("screen", dice.one(SCREENS)),
  (dice) => named("screen", dice.one(SCREENS)),
  (dice) => ({ ...named("form", dice.one(SCREENS)), method: "POST" }),
  (dice) => ({ ...named("form", dice.one(SCREENS)), method: "POST" }),
  (dice) => named("data", `${dice.one(SCREENS)}.data`.replace("/.data", "/_root.data")),
  (dice) => {
    const [method, path] = dice.one(CALLS);
    return { place: `api ${path}`, method, path };
  },
  (dice) => named("machine", dice.one(MACHINES)),
  (dice) => ({ place: "asset", method: "GET", path: `/assets/${dice.one(assets())}` }),
  (dice) => ({ place: "language", method: "GET", path: `/language/${dice.one(["en", "pl", NTH])}` }),
  (dice) => ({ place: "deep", method: "GET", path: dice.text(SEGMENTS, size(dice)) }),
  (dice) => ({ place: "long", method: "GET", path: `/${dice.text(PIECES, size(dice))}` }),
  (dice) => ({
    place: "under /home",
    method: "GET",
    path: `/home${dice.text(SEGMENTS, size(dice))}`,
  }),
  (dice) => ({
    place: "under /cp",
    method: "GET",
    path: `/cp/policy/${dice.text(PIECES, size(dice))}`,
  }),
  (dice) => ({ place: "deep data", method: "GET", path: `${dice.text(SEGMENTS, size(dice))}.data` }),
  (dice) => ({ place: "manifest", method: "GET", path: dice.one(["/__manifest", "/refused/500"]) }),
  (dice) => ({ place: "absolute", method: "GET", path: `http://localhost${dice.one(SCREENS)}` }),
];

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "PROPFIND"];

/** A random address; the demo's own, which no insurer's portal has, are left out. */
export function randomAddress(dice: Dice): Address {
  const address = dice.one(MAKERS)(dice);
  return dice.happens(0.08) ? { ...address, method: dice.one(METHODS) } : address;
}

function size(dice: Dice): number {
  return dice.size(dice.happens(0.7) ? SERVED : LONGEST);
}

/** A random query, often none. */
export function randomQuery(dice: Dice): string {
  if (dice.happens(0.35)) return "";
  if (dice.happens(0.3)) return `x=${NTH}`;
  if (dice.happens(0.2)) return "index";
  return dice.text(QUERY_PIECES, size(dice)) + (dice.happens(0.5) ? `x=${NTH}` : "");
}

function named(kind: string, path: string): Address {
  return { place: `${kind} ${path}`, method: "GET", path };
}

let listed: readonly string[] | undefined;

function assets(): readonly string[] {
  listed ??= readdirSync("build/client/assets");
  return listed;
}
