import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../browsers/until";
import { ask } from "../http-request";
import { canTestWith } from "../installed";
import { Visitor } from "../visitor";
import { HAS_IPV6 } from "./nginx";
import { CAN_START, startTopology, type Topology } from "./topology";

const LOGROTATE = fileURLToPath(new URL("../../deploy/logrotate/portal", import.meta.url));
const RATE = { perSecond: 1, atOnce: 10 };

describe.runIf(CAN_START)("nginx in front of the portals", () => {
  let topology: Topology;
  beforeAll(async () => {
    topology = await startTopology({ portals: 1, requestRate: RATE });
  });
  afterAll(() => topology.stop());

  const get = (path: string, from: string) => {
    const { port, secure, origin } = topology;
    return ask({ port, secure, path, from, headers: { Host: new URL(origin).host } });
  };

  it("[S105] serves one client no more than so many pages in a row, and says so on our own page", async () => {
    const pages = await Promise.all(
      Array.from({ length: 3 * RATE.atOnce }, () => get("/home/cookies", "127.0.0.2")),
    );
    const refused = pages.filter(({ status }) => status === 429);
    // On a slow machine some seconds pass, and each allows one more.
    expect(refused.length).toBeGreaterThan(0);
    expect(pages.length - refused.length).toBeGreaterThan(RATE.atOnce);
    for (const page of refused) {
      expect([page.header("Retry-After"), page.header("Cache-Control")]).toEqual(["5", "no-store"]);
      expect(page.body).toContain("<h1>Zbyt wiele prób</h1>");
    }
  });

  it("[S105] doesn't count scripts and fonts, nor the requests of other clients", async () => {
    const visitor = new Visitor(topology);
    const [script = ""] = /\/assets\/[\w.-]+\.js/.exec((await visitor.get("/home/cookies")).body) ?? [];
    const scripts = await Promise.all(
      Array.from({ length: 3 * RATE.atOnce }, () => get(script, "127.0.0.3")),
    );
    expect(new Set(scripts.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await get("/home/cookies", "127.0.0.3")).status).toBe(200);
  });

  it.runIf(HAS_IPV6)("answers on IPv6", async () => {
    const { httpsPort: port } = topology.nginx;
    const socket = connect({ port, host: "::1", rejectUnauthorized: false });
    socket.write(
      `GET /home/cookies HTTP/1.1\r\nHost: ${new URL(topology.origin).host}\r\nConnection: close\r\n\r\n`,
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.runIf(canTestWith("logrotate"))("its log can be rotated: it goes on in a new file", async () => {
    const { accessLog, pid } = topology.nginx;
    const folder = dirname(accessLog);
    const config = (await readFile(LOGROTATE, "utf8"))
      .replaceAll("/var/log/portal/nginx.log", accessLog)
      .replaceAll("/run/nginx.pid", join(folder, "rotated.pid"));
    await writeFile(join(folder, "rotated.pid"), String(pid));
    await writeFile(join(folder, "logrotate"), config, { mode: 0o644 });
    await get("/home/cookies", "127.0.0.5");
    await until("nginx to write its line", async () =>
      (await readFile(accessLog, "utf8")).includes("127.0.0.5"),
    );
    const rotated = spawnSync("logrotate", [
      "--force",
      "--state",
      join(folder, "state"),
      join(folder, "logrotate"),
    ]);
    expect([rotated.status, String(rotated.stderr)]).toEqual([0, ""]);
    expect(await readFile(`${accessLog}.1`, "utf8")).toContain("127.0.0.5");
    await until("nginx to write into the new file", async () => {
      await get("/home/cookies", "127.0.0.6");
      return (await readFile(accessLog, "utf8")).includes("127.0.0.6");
    });
    expect(await readFile(accessLog, "utf8")).not.toContain("127.0.0.5");
  });

  it("says on this machine whether it is alive itself, and nothing else", async () => {
    const alive = (path: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        request({ socketPath: topology.nginx.healthSocket, path }, ({ statusCode }) => {
          resolve(statusCode);
        })
          .on("error", reject)
          .end();
      });
    expect(await alive("/alive")).toBe(200);
    expect(await alive("/")).toBe(404);
    await topology.members[0].end();
    expect(await alive("/alive")).toBe(200);
    expect((await get("/alive", "127.0.0.4")).status).not.toBe(200);
  });
});
