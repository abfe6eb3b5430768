import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";

const ROOT = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, ROOT)), "utf8");

const VERSIONS = z.record(z.string(), z.string());
const MANIFEST = z
  .object({ dependencies: VERSIONS, devDependencies: VERSIONS, overrides: VERSIONS })
  .parse(JSON.parse(read("package.json")));
const LOCKED = z.object({
  version: z.string().optional(),
  integrity: z.string().optional(),
  resolved: z.string().optional(),
  inBundle: z.boolean().optional(),
});
const { "": _, ...LOCK } = z
  .object({ packages: z.record(z.string(), LOCKED) })
  .parse(JSON.parse(read("package-lock.json"))).packages;

test("[S98] no package runs code while it is installed, here and in the image", () => {
  expect(read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
  const copied = read("deploy/Dockerfile").search(/^COPY package\.json package-lock\.json \.npmrc /m);
  expect(copied).toBeGreaterThan(-1);
  expect(read("deploy/Dockerfile").search(/^RUN npm ci /m)).toBeGreaterThan(copied);
});

test("[S98] package.json and the lock name one version of each package", () => {
  const { dependencies, devDependencies, overrides } = MANIFEST;
  for (const [name, version] of Object.entries({ ...overrides, ...dependencies, ...devDependencies })) {
    const [, wanted = version] = /^npm:.+@(.+)$/.exec(version) ?? [];
    expect(wanted, name).toMatch(/^\d+\.\d+\.\d+$/);
    const locked = LOCK[`node_modules/${name}`];
    if (locked) expect(locked.version, name).toBe(wanted);
  }
});

test("[S98] the lock has a hash of every package, and names no registry", () => {
  const installed = Object.entries(LOCK).filter(([, { inBundle }]) => inBundle !== true);
  expect(installed.filter(([, { integrity = "" }]) => !integrity.startsWith("sha512-"))).toEqual([]);
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
