import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { makeKeyring } from "~/backend/secrets/keyring.server";

const DEPLOY = fileURLToPath(new URL("../../../deploy", import.meta.url));
const read = (path: string) => readFileSync(join(DEPLOY, path), "utf8");
const UNITS = ["portal-backup.service", "portal-backup.timer"];

it("systemd finds nothing wrong with the units of backups, even on SQLite", ({ skip }) => {
  const folder = mkdtempSync(join(tmpdir(), "portal-units-"));
  const dropIns = join(folder, "portal-backup.service.d");
  mkdirSync(dropIns);
  for (const unit of UNITS) cpSync(join(DEPLOY, "systemd", unit), join(folder, unit));
  const verify = () => spawnSync("systemd-analyze", ["verify", ...UNITS], { cwd: folder, encoding: "utf8" });
  const { error, status, stderr } = verify();
  skip(error !== undefined && process.env["CI"] !== "true", "systemd-analyze is not installed");
  expect([status, stderr]).toEqual([0, ""]);
  cpSync(join(DEPLOY, "systemd/portal-backup-sqlite.conf"), join(dropIns, "sqlite.conf"));
  expect(verify()).toMatchObject({ status: 0, stderr: "" });
});

it("[S157] make-secrets.sh derives the key of backups' MACs as the portal does, and keeps one that is there", () => {
  const folder = mkdtempSync(join(tmpdir(), "portal-secrets-"));
  cpSync(join(DEPLOY, "make-secrets.sh"), join(folder, "make-secrets.sh"));
  const made = (name: string) => readFileSync(join(folder, "secrets", name), "utf8");
  const run = () => spawnSync("sh", ["make-secrets.sh"], { cwd: folder }).status;
  expect(run()).toBe(0);
  const [version = "", key = ""] = made("data-keys").split(":");
  const root = { version: Number(version), key: Buffer.from(key, "base64") };
  const derived = made("backup-mac-key");
  expect(derived).toBe(`1:${makeKeyring([root]).key("backup", 1).toString("base64")}`);
  writeFileSync(join(folder, "secrets/data-keys"), `2:${randomBytes(32).toString("base64")},1:${key}`);
  expect([run(), made("backup-mac-key")]).toEqual([0, derived]);
});

it("the image has pg_dump of the version of PostgreSQL that compose starts", () => {
  const [, server] = /image: docker\.io\/library\/postgres:(\d+)/.exec(read("compose.yaml")) ?? [];
  const [, client] = /postgresql-client-(\d+)/.exec(read("Dockerfile")) ?? [];
  expect(client).toBe(server);
});
