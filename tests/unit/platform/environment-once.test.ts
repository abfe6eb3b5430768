import { afterEach, expect, it, vi } from "vitest";

afterEach(() => {
  vi.unstubAllEnvs();
});

it("a good configuration is read once: later changes have no effect", async () => {
  vi.resetModules();
  vi.stubEnv("PORT", "4000");
  const { environment } = await import("~/platform/config/environment.server");
  expect(environment().PORT).toBe(4000);
  vi.stubEnv("PORT", "x");
  expect(environment().PORT).toBe(4000);
});
