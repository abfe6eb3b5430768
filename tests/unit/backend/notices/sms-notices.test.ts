import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { confirmationTexts } from "~/i18n/confirmation-texts.server";
import { mailTexts } from "~/i18n/mail-texts.server";
import { smsTexts } from "~/i18n/sms-texts.server";
import { brand } from "~/platform/config/brand.server";
import { OWN_ANCHORS, schemesOf } from "~/platform/config/palette";
import { Browser } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { NOTICES } from "./notice-steps";
import { fetchFrom } from "../test-backend";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "portal-notices-"));
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dataDir, { recursive: true, force: true });
});

it.each([
  ["on", 1],
  ["", 0],
])("[S96] a demo with SMS_NOTICES=%s sends %i notices of a lock", async (value, count) => {
  const settings = { PORTAL_MODE: "demo", DATA_DIR: dataDir, LOG_LEVEL: "error", SMS_NOTICES: value };
  for (const [name, given] of Object.entries(settings)) vi.stubEnv(name, given);
  const { embeddedBackend, provideBackendTexts } =
    await import("~/visit/backend-client/backend-client.server");
  const claims = { phone: "800 100 200", url: undefined, assistance: undefined };
  provideBackendTexts({
    smsTexts: smsTexts("Tarnea"),
    noticeTexts: NOTICES,
    mailTexts: mailTexts(brand(), schemesOf(OWN_ANCHORS).light),
    confirmationTexts: confirmationTexts({ name: "Tarnea", colour: "#006B75", claims }),
    factorWords: { issuer: "Tarnea", nameOf: { app: "Aplikacja", passkey: "Klucz" } },
  });
  const backend = await embeddedBackend();
  const way = {
    fetch: (path: string, init?: RequestInit) => fetchFrom(backend, path, init),
    outbox: () => backend.outbox(),
    close: () => backend.close(),
  };
  for (let nth = 0; nth < 5; nth += 1)
    await new Browser(way).login({ username: ANNA.username, password: "Nie-To-Haslo-1" });
  expect((await way.outbox()).filter(({ text }) => text.includes("To nie Ty?"))).toHaveLength(count);
  await way.close();
});
