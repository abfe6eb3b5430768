import { execFileSync, spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

const NAME = /^\d{4}-\d{2}-\d{2}-[\da-f]{12}$/;
const ANY_NAME = /^\d{4}-\d{2}-\d{2}-(sources-)?[\da-f]{12}$/;

/** Runs `npm run release-name`. */
function releaseName(env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/release-name.mjs"], {
    env: { PATH: process.env["PATH"], NODE_ENV: "test", ...env },
    encoding: "utf8",
  });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
}

describe("a release's name", () => {
  it("is the day of its commit and its build", () => {
    const { status, stdout } = releaseName();
    expect([status, stdout]).toEqual([0, expect.stringMatching(ANY_NAME)]);
    // With changes that are not committed it is today and a hash.
    if (!NAME.test(stdout)) return;
    const commit = execFileSync("git", ["log", "-1", "--format=%H"], { encoding: "utf8" });
    expect(commit.startsWith(stdout.slice(-12))).toBe(true);
  });

  it("is told to a build without history, as in a container", () => {
    const name = "2026-11-27-3518647619b2";
    expect(releaseName({ RELEASE_NAME: name })).toEqual({ status: 0, stdout: name, stderr: "" });
    expect(releaseName({ RELEASE_NAME: "95.0.2" })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("RELEASE_NAME: expected a name") as string,
    });
  });
});
