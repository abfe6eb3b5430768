import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { ask } from "../http-request";
import { startPortal, usualDataDir } from "../portal";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

test("the files in the container image are enough to serve every page", async () => {
  const dockerfile = await readFile(join(ROOT, "deploy", "Dockerfile"), "utf8");
  const held = [...dockerfile.matchAll(/^COPY --from=build \/portal\/(\S+) /gm)].map(([, name = ""]) => name);
  const folder = await mkdtemp(join(tmpdir(), "portal-release-"));
  await Promise.all(held.map((name) => symlink(join(ROOT, name), join(folder, name))));
  const dataDir = await usualDataDir();
  const portal = await startPortal({ folder, dataDir });
  const headers = { Cookie: "accepted-cookies=1" };
  const page = await ask({ port: portal.port, path: "/home", headers });
  expect(page.status).toBe(200);
  const [, pdf = ""] = /href="([^"]+\.pdf)"/.exec(page.body) ?? [];
  expect((await ask({ port: portal.port, path: pdf, headers })).status).toBe(200);
  await portal.stop();
  for (const made of [folder, dataDir]) await rm(made, { recursive: true });
});
