import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { freePort, runDevelopmentServer, type PortalProcess } from "../../portal-process";
import { getRaw } from "../../raw-answer";

let server: PortalProcess | undefined;
let dataDir: string | undefined;
afterEach(async () => {
  server?.signal("SIGKILL");
  await server?.ended;
  if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
});

it("a development server answers its first request, and screens and calls like the built portal", async () => {
  dataDir = await mkdtemp(join(tmpdir(), "development-"));
  const port = await freePort();
  const running = (server = runDevelopmentServer(port, { DATA_DIR: dataDir }));
  await vi.waitUntil(() => running.log().includes(`:${port}/`), { timeout: 240_000 });

  const ask = (path: string) => getRaw(port, path, { Cookie: "accepted-cookies=true" });
  const first = await ask("/home");
  // The front door wasn't mounted yet, so the browser is told to ask again.
  if (first.status === 307) expect(first.headers.location).toBe("/home");
  const page = first.status === 307 ? await ask("/home") : first;
  expect([page.status, page.headers["x-request-id"]]).toEqual([200, expect.stringMatching(/^[\da-f]{12}$/)]);
  expect(page.body.toString()).toContain('name="username"');
  expect((await ask("/home/mfa")).headers.location).toBe("/home");
  expect((await ask("/home/api/user/info")).status).toBe(401);
});
