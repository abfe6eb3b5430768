import { expect } from "vitest";
import { SECURITY_HEADERS } from "~/server/front-door/headers.server";
import type { HttpAnswer } from "../http-request";
import { INSIDES } from "./insides";

const REFERENCE = /Numer błędu: ([\w.-]+)/;

/**
 * Checks the rules for every answer, whatever the request: no server error, the security headers, no internals; and for
 * a failure a Polish page that says what went wrong, a refused form, JSON under the API, or data for scripts.
 */
export function expectDecent(answer: HttpAnswer, asked: string): void {
  expect(answer.status, asked).toBeLessThan(500);
  for (const { name, value } of SECURITY_HEADERS) {
    expect([asked, name, answer.lines(name)]).toEqual([asked, name, [value]]);
  }
  // The Back button may show a signed-out visitor's refused form (F9); no other page is kept.
  const isPage = answer.header("Content-Type")?.startsWith("text/html");
  const storage = answer.status >= 400 && isPage ? /^(no-store|private, no-cache)$/ : /^no-store$/;
  expect(answer.header("Cache-Control"), asked).toMatch(storage);
  const requestId = answer.header("X-Request-Id") ?? "";
  expect(requestId, asked).toMatch(/^[\w.-]{8,64}$/);
  for (const inside of INSIDES) expect(answer.body, asked).not.toMatch(inside);
  if (answer.status < 400 || answer.body === "") return;

  const type = answer.header("Content-Type") ?? "";
  if (type.startsWith("text/html")) expectPolishPage(answer, requestId, asked);
  else expect(type, asked).toMatch(/^application\/json/);
}

function expectPolishPage({ body, status }: HttpAnswer, requestId: string, asked: string): void {
  expect(body, asked).toContain('<html lang="pl">');
  expect(/<title>([^<]*)<\/title>/.exec(body)?.[1], asked).toMatch(/^Błąd: .+Tarnea/);
  expect(body.match(/<h1/g), asked).toHaveLength(1);
  // It says what happened: in the refused form, or on a page with a reference number for the helpline. A mistyped
  // address gets no number (F52).
  if (status === 400 && /role="alert"|aria-invalid="true"|<dialog[^>]* open/.test(body)) return;
  expect(REFERENCE.exec(body)?.[1], asked).toBe(status === 404 ? undefined : requestId);
}

/** Expects that an answer repeats no typed secret, neither in its body nor in a header. */
export function expectNoEcho(answer: HttpAnswer, secrets: readonly string[], asked: string): void {
  const headers = answer.headerNames.map((name) => answer.lines(name).join("\n")).join("\n");
  for (const secret of secrets) {
    expect(answer.body.includes(secret), `${asked} gives back "${secret}"`).toBe(false);
    expect(headers.includes(secret), `${asked} gives back "${secret}" in a header`).toBe(false);
  }
}

/** [S58, S69] Expects that nothing typed has become markup, a header or a redirect target. */
export function expectNotRun(answer: HttpAnswer): void {
  if (answer.header("Content-Type")?.startsWith("text/html")) {
    expect(answer.body).not.toContain("<script>alert(1)");
    expect(answer.body).not.toContain("<svg/onload");
  }
  expect(answer.body).not.toContain("7006652");
  expect(answer.lines("Set-Cookie").filter((line) => line.includes("stolen"))).toEqual([]);
  const location = answer.header("Location");
  if (location !== undefined) expect(location).toMatch(/^\/(?:home|cp)/);
}
