import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { workersInDevelopment } from "./vite.worker.config";

// Separate from vite.config.ts on purpose: the Remix plugin must not be loaded here.
export default defineConfig({
  plugins: [workersInDevelopment()],
  resolve: { alias: { "~": fileURLToPath(new URL("app", import.meta.url)) } },
  test: {
    include: ["tests/{unit,contract,attack,browsers,text-browser,topology}/**/*.test.{ts,tsx}"],
    setupFiles: ["tests/setup.ts"],
    pool: "forks",
    // Tests often wait for processes that they start: with two workers a quarter of two cores stays idle, with three a tenth.
    maxWorkers: 3,
    // Upper limits for a machine whose cores are busy with something else; a test never waits that long for what happens.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    allowOnly: false,
    reporters: ["default", ["json", { outputFile: "test-results/vitest.json" }]],
  },
});
