import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startHostileBackend, type HostileBackend } from "../attack/hostile-backend";
import { until } from "../browsers/until";
import { startPortal, type Portal } from "../portal";
import { runPortal } from "../portal-process";
import { RETURNING, visitorWith } from "./cached-page";

const DAY_MS = 86_400_000;
const TOMORROW = new Date(Date.now() + DAY_MS).toISOString();
const ANNOUNCEMENT = { text: "Po polsku", textEn: "In English", until: TOMORROW };

describe("[S140] a portal with an attached backend reads what it announces from a file", () => {
  let folder: string;
  let file: string;
  let backend: HostileBackend;
  let portal: Portal;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "announcement-"));
    file = join(folder, "announcement.json");
    backend = await startHostileBackend();
    const env = { BACKEND_URL: backend.url, ANNOUNCEMENT_FILE: file, LIMIT_ANNOUNCEMENT_SECONDS: "1" };
    portal = await startPortal({ env });
  });
  afterAll(async () => {
    await portal.stop();
    await backend.stop();
    await rm(folder, { recursive: true });
  });

  const home = (language = "pl") => visitorWith(portal, { ...RETURNING, language }).get("/home");
  /** Puts a file in its place at once, as operators should. */
  const write = async (content: string) => {
    await writeFile(`${file}.new`, content);
    await rename(`${file}.new`, file);
  };
  const shows = (text: string, language?: string) =>
    until(`"${text}"`, async () => (await home(language)).body.includes(text));
  const warnings = () => portal.log().split("announcement-file-unusable").length - 1;

  beforeEach(async () => {
    await write(JSON.stringify(ANNOUNCEMENT));
    await shows("Po polsku");
  });

  it("in both languages, and follows when it changes or goes", async () => {
    await shows("In English", "en");
    await write(JSON.stringify({ ...ANNOUNCEMENT, text: "Inaczej" }));
    await shows("Inaczej");
    await rm(file);
    await until("no announcement", async () => !(await home()).body.includes("Inaczej"));
  });

  it("and closes for maintenance", async () => {
    await write(JSON.stringify({ maintenanceUntil: TOMORROW }));
    await until("maintenance", async () => (await home()).status === 503);
    backend.reset();
    expect(
      (await visitorWith(portal, RETURNING).post("/home", { username: "a", password: "b" })).status,
    ).toBe(503);
    expect(backend.received).toEqual([]);
  });

  it.each([
    ["no JSON", "{", "expected JSON"],
    ["no object", "[]", "expected object"],
    [
      "a text alone",
      JSON.stringify({ text: "Po polsku" }),
      "expected text, textEn and until, or none of them",
    ],
    ["a text on two lines", JSON.stringify({ ...ANNOUNCEMENT, text: "a\nb" }), "text: expected at most 300"],
    ["no moment", JSON.stringify({ ...ANNOUNCEMENT, until: "jutro" }), "until: expected a moment such as"],
    ["a misspelled name", JSON.stringify({ ...ANNOUNCEMENT, texten: "x" }), "texten"],
  ])("%s announces nothing, is logged once, and harms no page", async (_name, content, reason) => {
    const before = warnings();
    await write(content);
    await until("no announcement", async () => !(await home()).body.includes("Po polsku"));
    expect((await home()).status).toBe(200);
    const said = portal.log();
    expect(said.slice(said.lastIndexOf("announcement-file-unusable"))).toContain(reason);
    await write(JSON.stringify(ANNOUNCEMENT));
    await shows("Po polsku");
    expect(warnings()).toBe(before + 1);
  });
});

it("a portal with a database refuses such a file: it has commands", async () => {
  const portal = runPortal({ ANNOUNCEMENT_FILE: "/x.json" });
  expect((await portal.ended).code).toBe(1);
  expect(portal.log()).toContain(
    "ANNOUNCEMENT_FILE: expected only with BACKEND_URL: others have portal announce",
  );
});
