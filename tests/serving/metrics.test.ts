import { expect, it } from "vitest";
import { makeDatabase, onAnyDatabase } from "../database";
import { ANNA } from "../demo-customers";
import { freePort } from "../free-port";
import { ask } from "../http-request";
import { canTestWith } from "../installed";
import { startPortal } from "../portal";
import { IS_RELEASE } from "../release-run";
import { Visitor } from "../visitor";
import { runTool } from "../watching-tools";

onAnyDatabase((kind) => {
  it("[S125] a portal counts what it has served, and forwarded headers from a peer that isn't trusted", async () => {
    const metrics = await freePort();
    const database = kind === "postgres" ? { DATABASE_URL: (await makeDatabase()).url } : {};
    const portal = await startPortal({ env: { METRICS_PORT: String(metrics), ...database } });
    const visitor = new Visitor(portal);
    await visitor.signIn(ANNA, true);
    expect((await visitor.get("/cp")).status).toBe(200);
    const headers = { "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https" };
    for (let nth = 0; nth < 3; nth += 1) await ask({ port: portal.port, path: "/home", headers });
    const { body } = await ask({ port: metrics, path: "/metrics" });
    expect((await portal.stop()).code).toBe(0);

    expect(body).toContain('portal_sign_ins_total{result="signed-in"} 1');
    expect(body).toContain("portal_untrusted_forwards_total 3\n");
    expect(body).toMatch(/^portal_audit_unsealed_seconds [\d.]+$/m);
    expect(body).toMatch(
      /^portal_build_info\{version="[\d.]+",build="(sources-)?[\da-f]{12}",.*mode="demo"\} 1$/m,
    );
    if (IS_RELEASE && canTestWith("promtool"))
      expect(runTool("promtool", ["check", "metrics"], body)).toMatchObject({ code: 0, output: "" });
    // The log warns once.
    const lines = portal.log().split("\n");
    const warnings = lines.filter((line) => line.includes('"event":"proxy-not-trusted"'));
    expect(warnings.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: "warn", clientAddress: "127.0.0.1", count: 1 }),
    ]);
    expect(portal.log()).not.toContain("203.0.113.9");
  });
});
