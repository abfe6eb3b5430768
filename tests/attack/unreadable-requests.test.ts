import { describe, expect, test } from "vitest";
import { sharedPortal } from "../shared-portal";
import { raw } from "./front-door-server";

const portal = sharedPortal();

/** Everything that a connection answers to these bytes until it is closed. */
const answerTo = async (bytes: string) =>
  Buffer.from(await raw(portal.port, bytes), "latin1").toString("utf8");

const head = (more: string) => `GET /home HTTP/1.1\r\nHost: 127.0.0.1:${portal.port}\r\n${more}\r\n\r\n`;
const UNREADABLE: Readonly<Record<string, () => string>> = {
  "no HTTP at all": () => "GARBAGE\r\n\r\n",
  "HTTP/2 without asking": () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "a TLS greeting": () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  "a header without a colon": () => head("Bad Header"),
  "two lengths": () => head("Content-Length: 1\r\nContent-Length: 2"),
  "a length and chunks": () => head("Content-Length: 1\r\nTransfer-Encoding: chunked"),
};

const NAMES_A_SERVER = /^(server|x-powered-by|via):/im;

function expectDecent(answer: string, status: number): void {
  const [headers = "", body = ""] = answer.split("\r\n\r\n");
  expect(headers).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(headers).not.toMatch(NAMES_A_SERVER);
  for (const name of ["Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options", "X-Request-Id"])
    expect(headers.toLowerCase()).toContain(`\r\n${name.toLowerCase()}: `);
  expect(headers).toMatch(/\r\ncontent-type: text\/html; charset=utf-8/i);
  expect(headers).toMatch(/\r\nconnection: close/i);
  expect(body).toContain('<html lang="pl"');
}

describe("[S112] what Node can't read gets a page of ours, with all its headers, and a closed connection", () => {
  test.each(Object.keys(UNREADABLE))("%s: 400", async (name) => {
    const answer = await answerTo(UNREADABLE[name]?.() ?? "");
    expectDecent(answer, 400);
    expect(answer).toContain("Nieprawidłowy adres lub formularz");
  });

  test("a head over 16 KB: 431, which says what to do", async () => {
    const answer = await answerTo(head(`Cookie: a=${"a".repeat(20_000)}`));
    expectDecent(answer, 431);
    expect(answer).toContain("Usuń pliki cookies tego portalu");
  });

  test.each(["gzip\r\n\r\n", "chunked\r\n\r\nXYZ\r\n"])(
    "a body that can't be read (%j) closes the connection, without a bare status line",
    async (coding) => {
      const answer = await answerTo(
        `POST /home HTTP/1.1\r\nHost: 127.0.0.1:${portal.port}\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: ${coding}`,
      );
      expect(answer).not.toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n\r\n$/);
      if (answer !== "") expectDecent(answer, 411);
    },
  );

  test("what follows on the same connection is not answered", async () => {
    const answer = await answerTo(`GARBAGE\r\n\r\n${head("Connection: close")}`);
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  });

  test("an unreadable request behind a good one leaves that one's answer whole", async () => {
    const answer = await answerTo(`${head("X: y")}GARBAGE\r\n\r\n`);
    expect(answer).not.toContain("GARBAGE");
    expect(answer === "" || answer.startsWith("HTTP/1.1 302 ")).toBe(true);
  });

  test("the portal goes on answering others", async () => {
    expect(await answerTo(head("Connection: close"))).toMatch(/^HTTP\/1\.1 302 /);
  });
});

describe("[S112] a file is answered whole, never by a page of Express", () => {
  test.each([
    "Range: bytes=99999999-",
    'If-Match: "x"',
    "If-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT",
  ])("%s", async (header) => {
    const bytes = head(`${header}\r\nConnection: close`).replace("/home", "/favicon.svg");
    expect(await answerTo(bytes)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
