import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "portal-secrets-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

/** The secrets of a process that starts now with this environment. */
async function secretsOf(variables: Readonly<Record<string, string>>): Promise<readonly string[]> {
  vi.resetModules();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { sessionSecrets } = await import("~/visit/flow.server");
  return sessionSecrets();
}

describe("the secrets of the flow cookie", () => {
  it("come from SESSION_SECRET in the same order, and nothing is written", async () => {
    const [first, second] = [randomBytes(32).toString("base64"), randomBytes(40).toString("hex")];
    const dataDir = join(folder, "data");
    expect(await secretsOf({ SESSION_SECRET: `${first}, ${second}`, DATA_DIR: dataDir })).toEqual([
      first,
      second,
    ]);
    expect(existsSync(dataDir)).toBe(false);
  });

  it("[S88] are otherwise made once, with 256 random bits, readable by the data directory's owner only", async () => {
    const dataDir = join(folder, "deep", "data");
    const [made = ""] = await secretsOf({ DATA_DIR: dataDir });
    expect(Buffer.from(made, "base64url")).toHaveLength(32);
    const file = join(dataDir, "session.key");
    expect((statSync(file).mode & 0o777).toString(8)).toBe("600");
    expect((statSync(dataDir).mode & 0o777).toString(8)).toBe("700");
    expect(await secretsOf({ DATA_DIR: dataDir })).toEqual([made]);
    expect(await secretsOf({ DATA_DIR: join(folder, "other") })).not.toEqual([made]);
  });

  it("are the same for a second process, which reads the first one's file", async () => {
    const dataDir = join(folder, "data");
    const [first] = await secretsOf({ DATA_DIR: dataDir });
    writeFileSync(join(dataDir, "session.key"), readFileSync(join(dataDir, "session.key"), "utf8") + "\n");
    expect(await secretsOf({ DATA_DIR: dataDir })).toEqual([first]);
  });
});
