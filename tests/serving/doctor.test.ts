import { randomBytes } from "node:crypto";
import { createServer, request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DOCTOR_HEADER, doctorQuestion } from "~/platform/network/doctor-question.server";
import { freePort } from "../free-port";
import { runCommand, startCommand } from "../operator-command";
import { startPortal, type Portal } from "../portal";

const secret = () => randomBytes(32).toString("base64");
const SESSION_SECRET = secret();

let portal: Portal;
let env: Readonly<Record<string, string>>;
/** The address from which the proxy asks the portal. */
let proxyFrom = "127.0.0.1";
/** A proxy that overwrites X-Forwarded-For as nginx' template does. */
const proxy = createServer(({ url, method, headers }, response) => {
  const passed = { ...headers, "x-forwarded-for": "203.0.113.5" };
  const to = { port: portal.port, host: "127.0.0.1", localAddress: proxyFrom, path: url, method };
  request({ ...to, headers: passed }, (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(response);
  }).end();
});
beforeAll(async () => {
  const port = await freePort();
  proxy.listen(port, "127.0.0.1");
  const own = { SESSION_SECRET, TRUSTED_PROXIES: "127.0.0.1" };
  portal = await startPortal({ publicOrigin: `http://127.0.0.1:${port}`, env: own });
  env = { ...own, PUBLIC_ORIGIN: portal.origin, DATA_DIR: portal.dataDir };
});
afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await portal.stop();
});

/** The lines of doctor about the portal and its proxies. */
function linesIn({ stdout }: { readonly stdout: string }): readonly string[] {
  return stdout.split("\n").filter((line) => /^\w+ +(portal|proxies): /.test(line));
}
const doctor = async (more: Readonly<Record<string, string>> = {}) =>
  linesIn(await runCommand({ ...env, ...more }, ["doctor"]));
const like = (pattern: RegExp) => expect.stringMatching(pattern) as string;

it("doctor finds the portal and its proxy in order", async () => {
  expect(linesIn(await startCommand(env, ["doctor"]).ended).toSorted()).toEqual([
    `ok       portal: ${portal.origin} serves this build`,
    "ok       proxies: trusted: 127.0.0.1",
  ]);
});

it("doctor finds another build, another portal's address, and a portal that clients reach directly", async () => {
  const other = { SESSION_SECRET: secret() };
  expect(await doctor(other)).toContainEqual(like(/^problem {2}portal: another portal serves /));
  const direct = await doctor({ PUBLIC_ORIGIN: `http://127.0.0.1:${portal.port}` });
  expect(direct).toContainEqual(
    like(/^warning {2}proxies: the portal believes addresses that clients claim themselves: /),
  );
  // The tests themselves are no build.
  expect(direct).toContainEqual(
    like(/^warning {2}portal: .* serves build \S+, and this is development: unless an update /),
  );
});

it("[S125] doctor finds by its own request that TRUSTED_PROXIES names another proxy than the one in front", async () => {
  proxyFrom = "127.0.0.2";
  expect(await doctor()).toContainEqual(
    like(
      /^problem {2}proxies: requests come to the portal from 127\.0\.0\.2, which TRUSTED_PROXIES does not name/,
    ),
  );
  proxyFrom = "127.0.0.1";
});

it("[S74] /healthz tells its operators' doctor more than others, who have no SESSION_SECRET", async () => {
  const answerTo = async (question: string) => {
    const answer = await fetch(`${portal.origin}/healthz`, { headers: { [DOCTOR_HEADER]: question } });
    return [answer.status, await answer.text(), answer.headers.get(DOCTOR_HEADER)];
  };
  const past = Date.now() - 3_600_000;
  const described = like(/"readiness":"ready"/);
  expect(await answerTo(doctorQuestion(SESSION_SECRET, Date.now()))).toEqual([200, "ok\n", described]);
  for (const question of ["1", doctorQuestion(secret(), Date.now()), doctorQuestion(SESSION_SECRET, past)])
    expect(await answerTo(question)).toEqual([200, "ok\n", null]);
});
