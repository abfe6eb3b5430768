import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, request as forward } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../free-port";
import { startHelpDesk } from "../help-desk-process";
import { runCommand, startCommand } from "../operator-command";
import { sharedPortal } from "../shared-portal";
import { startSmsapiServer } from "../smsapi-server";
import { makeCertificate } from "../topology/certificate";
import { startFalseIssuer, withIssuer } from "../unit/help-desk/issuer";

/** Names that no DNS knows: only the proxy finds them. */
const [LOGIN, SMS] = ["login.insurer.example", "sms.insurer.example"];

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A forward proxy that asks for a name and a password, and behind it both names with TLS by an authority of their own. */
async function behindProxy(ports: Readonly<Record<string, number>>) {
  const folder = await mkdtemp(join(tmpdir(), "forward-proxy-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { certificate, key } = await makeCertificate(folder, `DNS:${LOGIN},DNS:${SMS}`);
  const files = { cert: await readFile(certificate), key: await readFile(key) };
  const tls = createTlsServer(files, (request, response) => {
    const { method, url, headers } = request;
    const to = { host: "127.0.0.1", port: ports[headers.host ?? ""], method, path: url, headers };
    const passed = forward(to, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(passed);
  });
  const tlsPort = await portOf(tls);
  const tunnels: string[] = [];
  const proxy = createServer((_request, response) => response.writeHead(500).end());
  proxy.on("connect", ({ url = "", headers }, socket) => {
    tunnels.push(`${url} ${headers["proxy-authorization"] ?? ""}`);
    const there = connect(tlsPort, "127.0.0.1", () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
    there.pipe(socket).pipe(there);
    for (const end of [there, socket]) end.on("error", () => end.destroy());
  });
  const variables = {
    HTTPS_PROXY: `http://desk:word@127.0.0.1:${await portOf(proxy)}`,
    NODE_EXTRA_CA_CERTS: certificate,
  };
  return { variables, tunnels };
}

const tunnelTo = (name: string) => `${name}:443 Basic ${Buffer.from("desk:word").toString("base64")}`;

const portal = sharedPortal();

test("staff sign on at an issuer that only HTTPS_PROXY reaches, with a certificate of its own authority", async () => {
  const issuer = await startFalseIssuer();
  const named = `https://${LOGIN}`;
  issuer.iss = named;
  issuer.falsehood = { claims: { iss: named } };
  issuer.configuration = { issuer: named, token_endpoint: `${named}/token`, jwks_uri: `${named}/jwks` };
  const { variables, tunnels } = await behindProxy({ [LOGIN]: Number(new URL(issuer.issuer).port) });
  const start = async (more: Readonly<Record<string, string>>) => {
    const port = await freePort();
    const own = { DATA_DIR: portal.dataDir, HELP_DESK_ORIGIN: `http://127.0.0.1:${port}` };
    const desk = await startHelpDesk({ ...own, ...withIssuer(named), ...variables, ...more }, port);
    return { staff: desk.visitor(), desk };
  };
  const { staff, desk } = await start({});
  const begun = await staff.get("/help-desk/sign-on");
  const there = await fetch(begun.header("Location") ?? "", { redirect: "manual" });
  const answer = new URL(there.headers.get("Location") ?? "");
  expect((await staff.get(answer.pathname + answer.search)).header("Location")).toBe("/help-desk");
  expect(new Set(tunnels)).toEqual(new Set([tunnelTo(LOGIN)]));
  for (const secret of ["desk:word", "d29yZA"]) expect(desk.log()).not.toContain(secret);

  tunnels.length = 0;
  const direct = await start({ NO_PROXY: "insurer.example" });
  expect((await direct.staff.get("/help-desk/sign-on")).status).toBe(503);
  expect([tunnels, direct.desk.log()]).toEqual([[], expect.stringMatching(/"event":"issuer-unreachable"/)]);
});

test("[S70] an SMS gateway is asked through HTTPS_PROXY, and no other address", async () => {
  const gateway = await startSmsapiServer();
  onTestFinished(() => gateway.close());
  const { variables, tunnels } = await behindProxy({ [SMS]: Number(new URL(gateway.url).port) });
  const words = ["send-test", "--sms", "--to", "-"];
  const account = { SMS_GATEWAY: "smsapi", SMS_SMSAPI_TOKEN: gateway.token, SMS_SENDER: "Tarnea" };
  const env = { PORTAL_MODE: "demo", ...variables, ...account };
  const command = startCommand({ ...env, SMS_SMSAPI_URL: `https://${SMS}/sms.do` }, words);
  command.input.end("+48500100042\n");
  expect((await command.ended).code).toBe(0);
  expect([gateway.sent.length, tunnels]).toEqual([1, [tunnelTo(SMS)]]);
  // Its http address is one of this machine or of the insurer's own network.
  const direct = await runCommand({ ...env, SMS_SMSAPI_URL: gateway.url }, words, "+48500100042\n");
  expect(direct.code).toBe(0);
  expect([gateway.sent.length, tunnels.length]).toEqual([2, 1]);
});
