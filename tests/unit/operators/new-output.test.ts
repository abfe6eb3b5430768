import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeOutput } from "~/operators/kit/command.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";

describe("a command's output", () => {
  let folder: string;
  let output: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "portal-output-"));
    output = join(folder, "export");
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("is made by one of two runs that start in the same instant, and the other is refused", async () => {
    const runs = await Promise.allSettled(
      ["one", "other"].map((text) =>
        makeOutput(output, async (draft) => {
          await new Promise(setImmediate);
          writeFileSync(draft, text);
        }),
      ),
    );
    expect(runs.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(runs[1]).toMatchObject({ reason: expect.any(UsageError) as UsageError });
    expect(readFileSync(output, "utf8")).toBe("one");
    expect(readdirSync(folder)).toEqual(["export"]);
  });

  it("leaves nothing behind if it can't be written", async () => {
    const failing = makeOutput(output, (draft) => {
      writeFileSync(draft, "half");
      return Promise.reject(new Error("the disk is full"));
    });
    await expect(failing).rejects.toThrow("the disk is full");
    expect(existsSync(output)).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});
