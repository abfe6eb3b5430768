import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { VERSION } from "~/platform/release.server";
import { BUILD_ID, runBuiltCommand } from "../operator-command";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";

const CANARY = "kanarek-Haslo-1";
/** Strings that would start another line, colour a terminal or end a JSON string. */
const BREAKS = ["\r\n", "\u001b[31m", '","level":"fatal","x":"', "\u2028", "\\", "\u009b2J"];

let portal: Portal;
let visitor: Visitor;

beforeAll(async () => {
  portal = await startPortal({ env: { LOG_LEVEL: "debug", TRUSTED_PROXIES: "127.0.0.1" } });
  visitor = new Visitor(portal);
  await visitor.accept();
});
afterAll(() => portal.stop());

/** Sends bytes no library would send, and waits until the portal hangs up. */
function sendRaw(head: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(portal.port, "127.0.0.1", () => socket.end(head)).resume();
    socket.once("close", () => {
      resolve();
    });
  });
}

/** The lines of the log; each must be a JSON object. */
function lines(): Record<string, unknown>[] {
  const written = portal.log().split("\n").slice(0, -1);
  return written.map((line) => JSON.parse(line) as Record<string, unknown>);
}

test("[S94] line breaks, escapes and quotation marks in names, headers and addresses never start a log line", async () => {
  for (const text of BREAKS) {
    await visitor.post("/home?index", { username: `${text}${CANARY}`, password: `${CANARY}${text}` });
    await visitor.get(`/home/${encodeURIComponent(text)}${CANARY}?${encodeURIComponent(text)}`);
    // remix-serve would write each address that it doesn't find.
    await visitor.get(`/assets/${encodeURIComponent(text)}${CANARY}.js`);
    for (const header of ["User-Agent", "X-Forwarded-For", "X-Request-Id", "Referer"]) {
      await sendRaw(
        `GET /home HTTP/1.1\r\nHost: 127.0.0.1\r\n${header}: ${text}${CANARY}\r\nConnection: close\r\n\r\n`,
      );
    }
  }
  const written = lines();
  expect(written.filter(({ msg }) => msg === "answered").length).toBeGreaterThan(BREAKS.length * 2);
  expect(written.filter(({ level }) => level !== "info" && level !== "debug")).toEqual([]);
  expect(portal.log()).not.toContain(CANARY);
});

test("each line of a request has its id, and one of them says what the request was", () => {
  const answered = lines().filter(({ msg }) => msg === "answered");
  const ofRequests = lines().filter(({ msg }) => msg !== "starting" && msg !== "listening");
  for (const line of ofRequests) expect(line, JSON.stringify(line)).toHaveProperty("requestId");
  expect(new Set(answered.map(({ requestId }) => requestId)).size).toBe(answered.length);
  expect(answered).toContainEqual(
    expect.objectContaining({
      method: "POST",
      route: "/home",
      status: 400,
      ms: expect.any(Number) as number,
    }),
  );
});

test("[S93] a database error is logged with its place and nothing from the row, and with one stack", async () => {
  const file = new SqliteConnection(join(portal.dataDir, "portal.db"));
  file.exec("alter table accounts rename to accounts_away");
  await visitor.post("/home?index", { username: CANARY, password: CANARY });
  file.exec("alter table accounts_away rename to accounts");
  file.close();
  // The answer may reach us before the log does: they come by different ways.
  await vi.waitFor(() => {
    const [failure, ...more] = lines().filter(({ level }) => level === "error");
    expect(failure?.["err"]).toMatchObject({
      type: "SqliteError",
      code: "SQLITE_ERROR",
      message: "no such table: accounts",
    });
    expect(more).toEqual([
      {
        ...failure,
        time: expect.any(String) as string,
        call: "login",
        err: undefined,
        msg: "backend call failed",
      },
    ]);
  });
  expect(portal.log()).not.toContain(CANARY);
});

test("[S93] a portal that crashes says so in one line with one stack and nothing of the data, and exits with 1", async () => {
  const fault = `process.on("SIGUSR2",()=>{throw(new(Error)("unreadable:'${CANARY}'"))})`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(fault)}`;
  const crashed = await startPortal({ env: { NODE_OPTIONS } });
  crashed.signal("SIGUSR2");
  expect(await crashed.ended).toEqual({ code: 1, signal: null });
  const written = crashed.log().split("\n").slice(0, -1);
  expect(written.filter((line) => line.includes(" at "))).toHaveLength(1);
  expect(JSON.parse(written.at(-1) ?? "")).toMatchObject({
    level: "error",
    err: { message: "unreadable:…", stack: expect.any(String) as string },
    msg: "crashed",
  });
  await crashed.stop();
});

test("a portal's log is JSON from its first line, which says what runs, to its last", async () => {
  await portal.stop();
  const [first, ...others] = lines();
  expect(first).toMatchObject({
    msg: "starting",
    version: VERSION,
    build: expect.stringMatching(BUILD_ID) as string,
    mode: "demo",
  });
  expect("outdated" in (first ?? {}), "only on Node 20").toBe(process.versions.node.startsWith("20."));
  expect(runBuiltCommand({}, ["--version"]).stdout).toContain(
    `${VERSION} (build ${String(first?.["build"])}, `,
  );
  expect(others).toContainEqual(expect.objectContaining({ msg: "listening", listensOn: portal.origin }));
  expect(others.slice(-2)).toEqual([
    expect.objectContaining({ msg: "stopping", reason: "SIGTERM" }),
    expect.objectContaining({ msg: "stopped" }),
  ]);
});
