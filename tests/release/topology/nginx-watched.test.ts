import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { until } from "../../browsers/until";
import { ask } from "../../http-request";
import { canTestWith } from "../../installed";
import { freePort } from "../../free-port";
import { runTool } from "../../watching-tools";
import { HAS_NGINX, startNginx, type Nginx } from "../../topology/nginx";

const DEPLOY = fileURLToPath(new URL("../../../deploy", import.meta.url));

/** Answers with the status that the address names: /503. */
function answerAsAsked(): Server {
  return createServer((request, response) => {
    const status = Number(/^\/(\d{3})/.exec(request.url ?? "")?.[1] ?? 200);
    response.writeHead(status).end("ok\n");
  });
}

describe.skipIf(!HAS_NGINX)("nginx, as operators watch it", () => {
  let folder: string;
  let nginx: Nginx;
  const portal = answerAsAsked();
  const get = async (path: string) =>
    (await ask({ port: nginx.httpsPort, secure: true, path, headers: { Host: "127.0.0.1" } })).status;
  /** The lines about the requests of `get`, not of the probe. nginx writes a line after its answer is sent. */
  const lines = (count: number) =>
    until("nginx to write its lines", async () => {
      const all = (await readFile(nginx.accessLog, "utf8")).split("\n").slice(0, -1);
      const log = all.filter((line) => !line.includes('"path":"/healthz"'));
      return log.length >= count ? log : undefined;
    });
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "nginx-watched-"));
    const [port, nobody] = [await freePort(), await freePort()];
    await new Promise<void>((listening) => portal.listen(port, "127.0.0.1", listening));
    const [httpsPort, httpPort] = [await freePort(), await freePort()];
    nginx = await startNginx({ folder, httpsPort, httpPort, portals: [port, nobody] });
  });
  afterAll(async () => {
    await nginx.stop();
    portal.closeAllConnections();
    portal.close();
    await rm(folder, { recursive: true });
  });

  /** The findings of blackbox_exporter at /healthz, with this certificate as the only one it trusts. */
  async function probe(): Promise<string> {
    const settings = await readFile(join(DEPLOY, "prometheus", "blackbox.yml"), "utf8");
    const file = join(folder, "blackbox.yml");
    await writeFile(file, `${settings}      tls_config: { ca_file: ${nginx.certificate} }\n`);
    const port = await freePort();
    const listen = `--web.listen-address=127.0.0.1:${port}`;
    const exporter = spawn("prometheus-blackbox-exporter", [`--config.file=${file}`, listen]);
    onTestFinished(() => void exporter.kill());
    const site = encodeURIComponent(`https://127.0.0.1:${nginx.httpsPort}/healthz`);
    return until("blackbox_exporter to answer", async () => {
      const path = `/probe?module=portal_site&target=${site}`;
      return (await ask({ port, path }).catch(() => undefined))?.body;
    });
  }

  it.runIf(canTestWith("prometheus-blackbox-exporter"))(
    "a probe from outside finds the site, and sees when its certificate ends",
    async () => {
      const found = await probe();
      expect(found).toMatch(/^probe_success 1$/m);
      const [, end] = /^probe_ssl_earliest_cert_expiry (\S+)$/m.exec(found) ?? [];
      expect(Number(end) * 1000).toBeGreaterThan(Date.now());
    },
  );

  it.runIf(canTestWith("mtail"))(
    "mtail reads each line of its log, and tells nginx' own 503s from those of a portal",
    async () => {
      const asked = [
        "/200",
        "/503",
        "/503",
        '/a","status":503,"answers":"',
        "/%22,%22status%22:429",
        "/readyz",
      ];
      for (const path of [...asked, ...asked]) await get(path);
      expect(await get("/%")).toBe(400);
      portal.closeAllConnections();
      await new Promise((closed) => portal.close(closed));
      for (let nth = 0; nth < 3; nth += 1) expect(await get("/home")).toBe(503);
      const log = await lines(16);
      const file = join(folder, "lines.log");
      // The container's first lines, and one in an unknown form.
      await writeFile(file, ["/docker-entrypoint.sh: Launching", ...log, '{"time":"?"}', ""].join("\n"));
      const { stdout } = runTool("mtail", [
        "--one_shot",
        "--one_shot_format=prometheus",
        "--emit_prog_label=false",
        `--progs=${join(DEPLOY, "mtail")}`,
        `--logs=${file}`,
        `--address=127.0.0.1`,
        `--port=${await freePort()}`,
        `--log_dir=${folder}`,
      ]);
      const value = (series: string) =>
        Number(
          stdout
            .split("\n")
            .find((line) => line.startsWith(`${series} `))
            ?.split(" ")[1],
        );
      expect(value("portal_nginx_lines_total")).toBe(16);
      expect(value("portal_nginx_unread_lines_total")).toBe(1);
      expect(value('portal_nginx_answers_total{status="503"}')).toBe(4 + 3);
      expect(value("portal_nginx_unavailable_total")).toBe(3);
      expect(value("portal_nginx_crowded_total")).toBe(0);
      expect(value("portal_nginx_second_tries_total")).toBeGreaterThan(0);
      // Fast answers count, too: the lowest bucket holds those of less than a millisecond.
      expect(value("portal_nginx_answer_seconds_count")).toBe(16);
      expect(value('portal_nginx_answer_seconds_bucket{le="+Inf"}')).toBe(16);
    },
  );
});
