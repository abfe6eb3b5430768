import { makeDatabase, type DatabaseKind } from "../database";
import { ANNA } from "../demo-customers";
import { freePort } from "../free-port";
import { ask } from "../http-request";
import { startPortal } from "../portal";
import { Visitor } from "../visitor";

/** The metrics of a portal in which one customer has signed in and seen her policies. */
export async function metricsOnceServed(kind: DatabaseKind): Promise<string> {
  const metrics = await freePort();
  const database = kind === "postgres" ? { DATABASE_URL: (await makeDatabase()).url } : {};
  const portal = await startPortal({ env: { METRICS_PORT: String(metrics), ...database } });
  const visitor = new Visitor(portal);
  await visitor.signIn(ANNA, true);
  const { status } = await visitor.get("/cp");
  const { body } = await ask({ port: metrics, path: "/metrics" });
  const { code } = await portal.stop();
  if (status !== 200 || code !== 0) throw new Error(`/cp was ${status}, and the portal ended with ${code}`);
  return body;
}
