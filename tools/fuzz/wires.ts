import fc, { type Arbitrary } from "fast-check";
import { FORM_NAMES, FORMS } from "./screens";
import { HOST, MARK } from "./steps";

const LINES = [
  "Content-Length: 5",
  "Content-Length: 500",
  "Content-Length: -1",
  "Content-Length: 1e3",
  "Content-Length: 0",
  "Transfer-Encoding: chunked",
  "Transfer-Encoding: chunked, gzip",
  "Host: evil.example",
  `X-Bad\0: ${MARK}`,
  `X-Bad : ${MARK}`,
  `: ${MARK}`,
  ` folded ${MARK}`,
  `Cookie: session=${MARK}`,
  "Expect: 100-continue",
  "Connection: Upgrade\r\nUpgrade: websocket",
];

/** Requests with wrong lengths, broken lines and half a body, as bytes; the connection ends after them. */
export function wires(text: Arbitrary<string>): Arbitrary<string> {
  return fc
    .record({
      method: fc.constantFrom("GET", "GET", "POST", "POST", "POST", "POST", "PUT", "get", "\0", ""),
      path: fc.constantFrom(
        ...FORM_NAMES.map((name) => FORMS[name].path),
        "/home/api/auth/login",
        "*",
        "home",
        "",
      ),
      version: fc.constantFrom("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", ""),
      lines: fc.array(
        fc.oneof(
          fc.constantFrom(...LINES),
          text.map((odd) => `X-Odd: ${odd}`),
          text,
        ),
        { maxLength: 2 },
      ),
      body: fc.oneof(fc.constant(""), fc.constant(`username=${MARK}&password=${MARK}`), text),
    })
    .map(({ method, path, version, lines, body }) =>
      [
        `${method} ${path} ${version}`,
        `Host: ${HOST}`,
        "Content-Type: application/x-www-form-urlencoded",
        ...lines,
        "",
        body,
      ].join("\r\n"),
    );
}
