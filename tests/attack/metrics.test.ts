import { describe, expect, it } from "vitest";
import { makeDatabase, onEachDatabase } from "../database";
import { ANNA } from "../demo-customers";
import { ask } from "../http-request";
import { canTestWith } from "../installed";
import { startPortal } from "../portal";
import { freePort } from "../portal-process";
import { Visitor } from "../visitor";
import { runTool } from "../watching-tools";

/** A portal starts and stops, on a busy machine. */
const PATIENCE_MS = 60_000;

describe.runIf(canTestWith("promtool"))("a portal that has served", () => {
  onEachDatabase((kind) => {
    it("has metrics that Prometheus's own checker accepts", { timeout: PATIENCE_MS }, async () => {
      const metrics = await freePort();
      const database = kind === "postgres" ? { DATABASE_URL: (await makeDatabase()).url } : {};
      const portal = await startPortal({ env: { METRICS_PORT: String(metrics), ...database } });
      const visitor = new Visitor(portal);
      await visitor.signIn(ANNA, true);
      expect((await visitor.get("/cp")).status).toBe(200);
      const { body } = await ask({ port: metrics, path: "/metrics" });
      expect(await portal.stop()).toEqual({ code: 0, signal: null });
      expect(body).toContain('portal_sign_ins_total{result="signed-in"} 1');
      expect(body).toMatch(/^portal_audit_unsealed_seconds [\d.]+$/m);
      expect(runTool("promtool", ["check", "metrics"], body)).toMatchObject({ code: 0, output: "" });
    });
  });
});
