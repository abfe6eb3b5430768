import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { conformance, DEMO_CUSTOMERS, ROOT, startReference, usualFile } from "./conformance-command";

describe("npm run conformance", () => {
  it("asks for one part alone, and says which parts there are", async () => {
    const reference = await startReference();
    const file = ["--customers", DEMO_CUSTOMERS, "--codes", `${reference.origin}/sms.json`];
    const [{ code, output }, unknown] = await Promise.all([
      conformance(reference.origin, ...file, "--only", "signing out"),
      conformance(reference.origin, ...file, "--only", "signing"),
    ]);
    reference.stop();
    expect(output).toMatch(/\nsigning out\n[^]*\n[1-9] promises kept, 0 broken\n/);
    expect(output).not.toContain("signing in");
    expect(code).toBe(0);
    expect(unknown.output.trim().split("\n")).toEqual([
      expect.stringMatching(/There is no part "signing"\. The parts: every call, signing in, .*strangers\.$/),
    ]);
    expect(unknown.code).toBe(2);
  });

  it("comes with a reference backend of at most 500 lines, which an engineer reads in one sitting", async () => {
    const folder = join(ROOT, "tests/conformance/reference");
    const files = (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8"));
    const lines = (await Promise.all(files)).join("").split("\n").length - 1;
    expect(lines).toBeGreaterThan(0);
    expect(lines).toBeLessThanOrEqual(500);
  });

  it("comes with a customers file for our own demo", async () => {
    expect(JSON.parse(await readFile(DEMO_CUSTOMERS, "utf8"))).toEqual(usualFile());
  });
});
