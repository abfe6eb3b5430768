import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readEnvironment, withVariables } from "~/platform/config/environment.server";
import { LIMITS } from "~/platform/config/limits";
import { endAll } from "~/platform/lifecycle/process.server";
import { log } from "~/platform/telemetry/log.server";
import { currentAnnouncement, setAnnounced } from "~/server/front-door/context.server";
import { watchAnnouncementFile } from "~/visit/announcement-file.server";

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();
const ANNOUNCEMENT = { text: "Po polsku", textEn: "In English", until: TOMORROW };

let folder: string;
let file: string;
const warned: unknown[] = [];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  folder = mkdtempSync(join(tmpdir(), "announcement-"));
  file = join(folder, "announcement.json");
  warned.length = 0;
  vi.spyOn(log(), "warn").mockImplementation((line: unknown) => void warned.push(line));
});
afterEach(async () => {
  await endAll();
  setAnnounced({});
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const write = (content: string) => {
  writeFileSync(file, content);
};
/** Watches the file, which announces something at first. */
const watch = () => {
  write(JSON.stringify(ANNOUNCEMENT));
  withVariables({ BACKEND_URL: "http://127.0.0.1:9", ANNOUNCEMENT_FILE: file }, watchAnnouncementFile);
  expect(currentAnnouncement(Date.now())?.text).toBe("Po polsku");
};
const lookThrice = () => {
  for (let nth = 0; nth < 3; nth += 1) vi.advanceTimersByTime(LIMITS.ANNOUNCEMENT_SECONDS * 1000);
};

it.each([
  ["no JSON", "{", "expected JSON"],
  ["no object", "[]", "expected object"],
  ["a text alone", JSON.stringify({ text: "a" }), "expected text, textEn and until, or none of them"],
  ["a text on two lines", JSON.stringify({ ...ANNOUNCEMENT, text: "a\nb" }), "text: expected at most 300"],
  ["no moment", JSON.stringify({ ...ANNOUNCEMENT, until: "jutro" }), "until: expected a moment such as"],
  ["a misspelled name", JSON.stringify({ ...ANNOUNCEMENT, texten: "x" }), "texten"],
])("[S140] an announcement file with %s announces nothing, and is logged once", (_what, content, reason) => {
  watch();
  write(content);
  lookThrice();
  expect(currentAnnouncement(Date.now())).toBeUndefined();
  const logged = { event: "announcement-file-unusable", reason: expect.stringContaining(reason) as string };
  expect(warned).toEqual([logged]);
});

it("an announcement file that is removed announces nothing, which is no mistake", () => {
  watch();
  rmSync(file);
  lookThrice();
  expect([currentAnnouncement(Date.now()), warned]).toEqual([undefined, []]);
});

it("a portal with a database refuses such a file: it has commands", () => {
  expect(readEnvironment({ ANNOUNCEMENT_FILE: "/x.json" })).toMatchObject({
    problems: ["ANNOUNCEMENT_FILE: expected only with BACKEND_URL: others have portal announce"],
  });
});
