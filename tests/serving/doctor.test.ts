import { randomBytes } from "node:crypto";
import { createServer, request } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { DOCTOR_HEADER, doctorQuestion } from "~/platform/network/doctor-question.server";
import { freePort } from "../free-port";
import { runCommand, startCommand } from "../operator-command";
import { startPortal } from "../portal";

const secret = () => randomBytes(32).toString("base64");
const SESSION_SECRET = secret();

/** A portal that trusts these proxies, behind one that overwrites X-Forwarded-For as nginx' template does. */
async function behindProxy(trusted: string) {
  const [port, ownPort] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${port}`;
  const env = { SESSION_SECRET, TRUSTED_PROXIES: trusted };
  const portal = await startPortal({ port: ownPort, publicOrigin: origin, env });
  const proxy = createServer(({ url, method, headers }, response) => {
    const passed = { ...headers, "x-forwarded-for": "203.0.113.5" };
    request({ port: ownPort, path: url, method, headers: passed }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    }).end();
  }).listen(port, "127.0.0.1");
  onTestFinished(async () => {
    proxy.close();
    proxy.closeAllConnections();
    await portal.stop();
  });
  return { origin, ownPort, env: { ...env, PUBLIC_ORIGIN: origin, DATA_DIR: portal.dataDir } };
}

/** The lines of doctor about the portal and its proxies. */
function linesIn(stdout: string): readonly string[] {
  return stdout.split("\n").filter((line) => /^\w+ +(portal|proxies): /.test(line));
}

it("doctor finds the portal and its proxy in order, or another build, or another portal's address", async () => {
  const { origin, ownPort, env } = await behindProxy("127.0.0.1");
  const PROXY = "ok       proxies: trusted: 127.0.0.1";
  const { stdout } = await startCommand(env, ["doctor"]).ended;
  expect(linesIn(stdout).toSorted()).toEqual([`ok       portal: ${origin} serves this build`, PROXY]);
  // The tests themselves are no build.
  expect(linesIn((await runCommand(env, ["doctor"])).stdout).toSorted()).toEqual([
    PROXY,
    expect.stringMatching(
      /^warning {2}portal: .* serves build \S+, and this is development: unless an update /,
    ),
  ]);
  // As if the proxy let clients claim addresses.
  const direct = await runCommand({ ...env, PUBLIC_ORIGIN: `http://127.0.0.1:${ownPort}` }, ["doctor"]);
  expect(linesIn(direct.stdout)).toContainEqual(
    expect.stringMatching(
      /^warning {2}proxies: the portal believes addresses that clients claim themselves: /,
    ),
  );
  const foreign = await runCommand({ ...env, SESSION_SECRET: secret() }, ["doctor"]);
  expect(linesIn(foreign.stdout)).toContainEqual(
    expect.stringMatching(/^problem {2}portal: another portal serves /),
  );
});

it("[S125] doctor finds by its own request that TRUSTED_PROXIES names another proxy than the one in front", async () => {
  const { env } = await behindProxy("10.9.9.9");
  expect(linesIn((await runCommand(env, ["doctor"])).stdout)).toContainEqual(
    expect.stringMatching(
      /^problem {2}proxies: requests come to the portal from 127\.0\.0\.1, which TRUSTED_PROXIES does not name/,
    ),
  );
});

it("[S74] /healthz tells its operators' doctor more than others, who have no SESSION_SECRET", async () => {
  const { origin } = await behindProxy("127.0.0.1");
  const answerTo = async (question: string) => {
    const answer = await fetch(`${origin}/healthz`, { headers: { [DOCTOR_HEADER]: question } });
    return [answer.status, await answer.text(), answer.headers.get(DOCTOR_HEADER)];
  };
  const past = Date.now() - 3_600_000;
  const described = expect.stringMatching(/"readiness":"ready"/) as string;
  expect(await answerTo(doctorQuestion(SESSION_SECRET, Date.now()))).toEqual([200, "ok\n", described]);
  for (const question of ["1", doctorQuestion(secret(), Date.now()), doctorQuestion(SESSION_SECRET, past)])
    expect(await answerTo(question)).toEqual([200, "ok\n", null]);
});
