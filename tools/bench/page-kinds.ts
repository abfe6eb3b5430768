import { ANNA, PIOTR } from "../../tests/demo-customers";
import { outboxAt } from "../../tests/portal";
import { Visitor } from "../../tests/visitor";
import type { PageRequest } from "./page-load";
import { BROWSER, cookieHeader } from "./portal";
import type { Running } from "./process";

/** A page of the portal to compare with the floor page. */
export interface PageKind {
  readonly name: string;
  readonly page: PageRequest;
  /** The header that the floor page is requested with too. */
  readonly encoding: Readonly<Record<string, string>>;
  /** The least it must reach, as a multiple of the floor page's pages a second; not for pages rendered per visitor. */
  readonly leastOfFloor?: number;
  /** The most of the floor page's processor time that it may take. */
  readonly mostOfFloorTime?: number;
}

const PLAIN = {};
const BROTLI = { "Accept-Encoding": "gzip, deflate, br" };
const CONSENT = "accepted-cookies=true";
const RETURNING = `${CONSENT}; browser=${BROWSER}`;

const LEAST = { fromMemory: 4, packedFromMemory: 8, otherSignedOut: 3 };
const MOST_OF_FLOOR_TIME = 3;

/** Every kind of page that the bench measures; a customer waits for the sign-in code, and another is signed in. */
export async function pageKinds({ port }: Running): Promise<readonly PageKind[]> {
  const portal = { port, origin: `http://127.0.0.1:${port}`, ...outboxAt(port) };
  const [pending, signedIn] = [new Visitor(portal), new Visitor(portal)];
  await pending.begin(ANNA);
  await signedIn.signIn(PIOTR);
  const rendered = (name: string, path: string, cookies: string) => ofTime(`GET ${name}`, get(path, cookies));
  const refused = (name: string, path: string, fields: Readonly<Record<string, string>>) =>
    ofTime(`POST ${name}`, post(path, fields, portal.origin));
  return [
    ...signInPages("returning visit", RETURNING),
    ...signInPages("first visit", CONSENT),
    ...["/home/register", "/home/reset-password-init", "/home/remind-login-init"].map((path) =>
      kind(`GET ${path}`, get(path, RETURNING), LEAST.otherSignedOut),
    ),
    kind("GET /home/cookies", get("/home/cookies", ""), LEAST.otherSignedOut),
    rendered("/home/mfa, a code on its way", "/home/mfa", cookieHeader(pending)),
    rendered("/cp", "/cp", cookieHeader(signedIn)),
    rendered("/cp/profile", "/cp/profile", cookieHeader(signedIn)),
    refused("/home/register, an empty field", "/home/register", { policyNo: "POL-100001", pid: "" }),
    refused("/home, no password", "/home?index", { username: ANNA.username, password: "" }),
  ];
}

function signInPages(visit: string, cookies: string): readonly PageKind[] {
  const page = get("/home", cookies);
  const packed = { ...page, headers: { ...page.headers, ...BROTLI } };
  return [
    kind(`GET /home, ${visit}, plain`, page, LEAST.fromMemory),
    { ...kind(`GET /home, ${visit}, br`, packed, LEAST.packedFromMemory), encoding: BROTLI },
  ];
}

function ofTime(name: string, page: PageRequest): PageKind {
  return { name, page, encoding: PLAIN, mostOfFloorTime: MOST_OF_FLOOR_TIME };
}

function kind(name: string, page: PageRequest, leastOfFloor: number): PageKind {
  return { name, page, encoding: PLAIN, leastOfFloor };
}

function get(path: string, cookies: string): PageRequest {
  return { path, headers: cookies === "" ? {} : { Cookie: cookies }, status: 200 };
}

function post(path: string, fields: Readonly<Record<string, string>>, origin: string): PageRequest {
  return {
    path,
    headers: { Cookie: RETURNING, Origin: origin, "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
    status: 400,
  };
}
