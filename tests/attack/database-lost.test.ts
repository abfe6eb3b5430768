import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, makeDatabase } from "../database";
import { openDatabaseProxy, type DatabaseProxy } from "../database-proxy";
import { ANNA } from "../demo-customers";
import { startPortal, type Portal } from "../portal";
import { FROM_SCRIPT, Visitor } from "../visitor";

describe.skipIf(!hasPostgres)("[S73] a portal that loses its PostgreSQL", () => {
  let proxy: DatabaseProxy;
  let portal: Portal;
  beforeAll(async () => {
    proxy = await openDatabaseProxy((await makeDatabase()).url);
    portal = await startPortal({ env: { DATABASE_URL: proxy.url } });
  });
  afterAll(async () => {
    proxy.recover();
    await portal.stop();
    await proxy.close();
  });

  test("[S115] says that it is unavailable, not crowded, signs nobody in or out, and recovers by itself", async () => {
    const visitor = new Visitor(portal);
    await visitor.signIn(ANNA);
    const session = visitor.cookies.get("session");
    const other = new Visitor(portal);
    await other.accept();
    proxy.takeDown();
    const answers = [
      await visitor.get("/cp"),
      await visitor.get("/cp", { headers: FROM_SCRIPT }),
      await other.login(ANNA),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    for (const { body } of answers) expect(body).not.toMatch(/node_modules|PostgreSQL|ECONN/);
    for (const { body } of answers) expect(body).toContain("Portal jest chwilowo niedostępny");
    expect(answers[0]?.header("Retry-After")).toBe("5");
    expect(visitor.cookies.get("session")).toBe(session);
    expect(other.cookies.get("session")).toBeUndefined();
    proxy.recover();
    expect((await visitor.get("/cp")).status).toBe(200);
    expect((await other.login(ANNA)).header("Location")).toBe("/home/mfa");
  });
});
