import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const folder = mkdtempSync(join(tmpdir(), "bill-of-materials-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const LOCK = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().optional(),
    }),
  ),
});
const BILL = z.object({
  bomFormat: z.literal("CycloneDX"),
  metadata: z.object({ component: z.object({ type: z.string(), name: z.string(), version: z.string() }) }),
  components: z.array(
    z.object({
      purl: z.string(),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })),
    }),
  ),
});

test("[S99] the bill of materials lists every package that runs, with its hash, and no other", () => {
  const file = join(folder, "sbom.cdx.json");
  // No registry is asked: port 9 is closed.
  const env = { ...process.env, npm_config_registry: "http://127.0.0.1:9/" };
  const made = spawnSync(process.execPath, [join(ROOT, "scripts/sbom.mjs"), file], { env, encoding: "utf8" });
  expect(made.stderr).toBe("");
  const { metadata, components } = BILL.parse(JSON.parse(readFileSync(file, "utf8")));
  expect(metadata.component).toMatchObject({
    type: "application",
    name: "policyholder-portal",
    version: "95.0.2",
  });

  const listed = components.map(({ purl, hashes }) => {
    const sum = hashes.find(({ alg }) => alg === "SHA-512")?.content ?? "";
    return `${decodeURIComponent(purl)} sha512-${Buffer.from(sum, "hex").toString("base64")}`;
  });
  const installed = Object.entries(LOCK.parse(JSON.parse(read("package-lock.json"))).packages)
    .filter(([path, { dev }]) => path !== "" && !dev)
    .map(([path, { version = "", integrity = "" }]) => {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      return `pkg:npm/${name}@${version} ${integrity}`;
    });
  expect([...new Set(listed)].toSorted()).toEqual([...new Set(installed)].toSorted());
  expect(listed.some((line) => line.startsWith("pkg:npm/express@"))).toBe(true);
});

test.each(["deploy/Dockerfile", "docs/operations/systemd.md"])(
  "[S99] %s makes one for each release",
  (path) => {
    expect(read(path)).toMatch(/npm run (--silent )?sbom/);
    expect(read(path)).not.toMatch(/npm sbom/);
  },
);
