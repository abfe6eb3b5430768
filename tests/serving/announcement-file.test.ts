import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { startHostileBackend } from "../attack/hostile-backend";
import { until } from "../browsers/until";
import { startPortal } from "../portal";
import { RETURNING, visitorWith } from "./cached-page";

const DAY_MS = 86_400_000;
const TOMORROW = new Date(Date.now() + DAY_MS).toISOString();
const ANNOUNCEMENT = { text: "Po polsku", textEn: "In English", until: TOMORROW };

// tests/unit/visit has each mistake that the file can have.
it("[S140] a portal with an attached backend announces what a file says, and follows when it changes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "announcement-"));
  const file = join(folder, "announcement.json");
  /** Puts a file in its place at once, as operators should. */
  const write = async (content: string) => {
    await writeFile(`${file}.new`, content);
    await rename(`${file}.new`, file);
  };
  await write(JSON.stringify(ANNOUNCEMENT));
  const backend = await startHostileBackend();
  const env = { BACKEND_URL: backend.url, ANNOUNCEMENT_FILE: file, LIMIT_ANNOUNCEMENT_SECONDS: "1" };
  const portal = await startPortal({ env });
  onTestFinished(async () => {
    await portal.stop();
    await backend.stop();
    await rm(folder, { recursive: true });
  });
  const home = (language = "pl") => visitorWith(portal, { ...RETURNING, language }).get("/home");
  const announces = async (text: string, language?: string) => (await home(language)).body.includes(text);
  expect([await announces("Po polsku"), await announces("In English", "en")]).toEqual([true, true]);

  await write("{");
  await until("no announcement", async () => !(await announces("Po polsku")));
  expect((await home()).status).toBe(200);
  expect(portal.log()).toMatch(/"event":"announcement-file-unusable","reason":"expected JSON"/);

  await write(JSON.stringify({ ...ANNOUNCEMENT, text: "Inaczej" }));
  await until("the other text", () => announces("Inaczej"));

  await write(JSON.stringify({ maintenanceUntil: TOMORROW }));
  await until("maintenance", async () => (await home()).status === 503);
  backend.reset();
  const refused = await visitorWith(portal, RETURNING).post("/home", { username: "a", password: "b" });
  expect([refused.status, backend.received]).toEqual([503, []]);
});
