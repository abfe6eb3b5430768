import type { IncomingHttpHeaders } from "node:http";
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

/** Asks until the memory answers. */
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

/** A page without what differs in every answer. */
export function masked({ body, header }: Pick<HttpAnswer, "body" | "header">): string {
  const nonce = /'nonce-([^']+)'/.exec(header("Content-Security-Policy") ?? "")?.[1] ?? "no nonce";
  return body
    .replaceAll(nonce, "NONCE")
    .replaceAll(header("X-Request-Id") ?? "no id", "REFERENCE")
    .replaceAll(/\d{1,2}[./]\d\d[./]\d{4}, \d{1,2}:\d\d/g, "TIME");
}

/** The same for an answer that came packed. */
export function maskedRaw(page: Buffer, headers: IncomingHttpHeaders): string {
  return masked({ body: page.toString("utf8"), header: (name) => headers[name.toLowerCase()]?.toString() });
}

/** Header by header, without what differs in every answer. */
export function headersOf(answer: HttpAnswer): readonly string[] {
  const own = new Set([
    "content-length",
    "transfer-encoding",
    "date",
    "x-request-id",
    "content-security-policy",
  ]);
  return answer.headerNames
    .filter((name) => !own.has(name))
    .map((name) => `${name}: ${answer.header(name) ?? ""}`)
    .sort();
}
