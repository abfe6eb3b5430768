import { expect, it } from "vitest";
import { onAnyDatabase } from "../database";
import { ask } from "../http-request";
import { startPortal } from "../portal";
import { freePort } from "../free-port";
import { metricsOnceServed } from "./metrics-once-served";

it("[S125] forwarded headers from a peer that isn't trusted are counted, and the log warns of them once", async () => {
  const metrics = await freePort();
  const portal = await startPortal({ env: { METRICS_PORT: String(metrics) } });
  const headers = { "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https" };
  await ask({ port: portal.port, path: "/home" });
  for (let nth = 0; nth < 3; nth += 1) await ask({ port: portal.port, path: "/home", headers });
  const { body } = await ask({ port: metrics, path: "/metrics" });
  await portal.stop();
  expect(body).toContain("portal_untrusted_forwards_total 3\n");
  const warnings = portal
    .log()
    .split("\n")
    .filter((line) => line.includes('"event":"proxy-not-trusted"'));
  expect(warnings.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: "warn", clientAddress: "127.0.0.1", count: 1 }),
  ]);
  expect(portal.log()).not.toContain("203.0.113.9");
});

onAnyDatabase((kind) => {
  it("a portal that has served counts it, and says what it is", async () => {
    const body = await metricsOnceServed(kind);
    expect(body).toContain('portal_sign_ins_total{result="signed-in"} 1');
    expect(body).toMatch(/^portal_audit_unsealed_seconds [\d.]+$/m);
    expect(body).toMatch(
      /^portal_build_info\{version="[\d.]+",build="(sources-)?[\da-f]{12}",.*mode="demo"\} 1$/m,
    );
  });
});
