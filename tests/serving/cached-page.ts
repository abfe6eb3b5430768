import type { HttpAnswer } from "../http-request";
import { Visitor, type VisitedPortal } from "../visitor";

/** A browser that has been here. */
export const BROWSER = { browser: "b".repeat(43) };
/** A visitor who has accepted cookies. */
export const CONSENT = { "accepted-cookies": "true" };
/** A visitor who has accepted cookies and has been here. */
export const RETURNING = { ...CONSENT, ...BROWSER };

/** A visitor with these cookies. */
export function visitorWith(portal: VisitedPortal, cookies: Readonly<Record<string, string>>): Visitor {
  const visitor = new Visitor(portal);
  for (const [name, value] of Object.entries(cookies)) visitor.cookies.set(name, value);
  return visitor;
}

/** Only a page from memory is sent with its length: the app's pages are compressed on their way. */
export function isKept(answer: HttpAnswer): boolean {
  return answer.header("Content-Length") !== undefined && answer.header("Transfer-Encoding") === undefined;
}

/** Asks until the answer comes from memory. */
export async function kept(
  visitor: Visitor,
  path: string,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  for (;;) {
    const answer = await visitor.get(path, { headers });
    if (isKept(answer)) return answer;
  }
}

/** Header by header, without those that differ in every answer. */
export function headersOf(answer: HttpAnswer): readonly string[] {
  const own = new Set(["content-length", "transfer-encoding", "date", "x-request-id"]);
  return answer.headerNames
    .filter((name) => !own.has(name))
    .map((name) => `${name}: ${answer.header(name) ?? ""}`)
    .sort();
}
