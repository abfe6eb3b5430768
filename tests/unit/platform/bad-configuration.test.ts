import { afterEach, beforeEach, expect, it, vi } from "vitest";

const said: string[] = [];

beforeEach(() => {
  said.length = 0;
  vi.resetModules();
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said.push(String(text));
    return true;
  });
  vi.spyOn(process, "exit").mockImplementation((code) => {
    throw new Error(`exit ${String(code)}`);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it("a bad configuration ends the process with exit code 1 and a line for each wrong variable", async () => {
  vi.stubEnv("PORT", "3000x");
  vi.stubEnv("LIMIT_CODE_TRIES", "none");
  const { environment } = await import("~/platform/config/environment.server");
  expect(environment).toThrow("exit 1");
  expect(said.join("")).toBe(
    "portal: PORT: expected a whole number from 1 to 65535\n" +
      "portal: LIMIT_CODE_TRIES: expected a whole number from 1 to 2147483647\n",
  );
});

it("a good configuration is read once: later changes have no effect", async () => {
  vi.stubEnv("PORT", "4000");
  const { environment } = await import("~/platform/config/environment.server");
  expect(environment().PORT).toBe(4000);
  vi.stubEnv("PORT", "x");
  expect(environment().PORT).toBe(4000);
  expect(said).toEqual([]);
});
