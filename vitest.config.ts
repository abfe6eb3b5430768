import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import type { Reporter } from "vitest/reporters";
import { WITH_RELEASE } from "./tests/release-run";

const FOLDERS = "(unit|contract|serving|attack|browsers|text-browser|topology)";
const TESTS = new RegExp(`^${WITH_RELEASE ? "(release/)?" : ""}${FOLDERS}/.*\\.test\\.tsx?$`);
/** Signs of a change to a module or the process for later tests. A file that needs new ones says "@alone" and why. */
const IS_ALONE =
  /@alone\b|\bvi\.(mock|doMock|resetModules|stub\w+)\(|spyOn\((process|globalThis)\b|\bchdir\(|\bresetMetrics\(/;

/** The folder of this run (scripts/test.mjs). */
const RESULTS = process.env["TEST_RESULTS"] ?? "test-results";

const root = fileURLToPath(new URL("tests", import.meta.url));
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => TESTS.test(file));
const isAlone = (file: string) => IS_ALONE.test(readFileSync(join(root, file), "utf8"));
const filesWhere = (holds: (file: string) => boolean) =>
  files.filter(holds).map((file) => join("tests", file));

/** Keeps the errors that belong to no test, like unhandled rejections: they fail a run in which all tests pass. */
const unhandledErrors: Reporter = {
  onTestRunEnd(_modules, errors) {
    const told = errors.map(({ stack, message, VITEST_TEST_NAME: test, VITEST_TEST_PATH: file }) => ({
      during: `${String(file)} > ${String(test)}`,
      message: stack ?? message,
    }));
    if (told.length > 0) writeFileSync(join(RESULTS, "vitest-unhandled.json"), JSON.stringify(told));
  },
};

// Separate from vite.config.ts on purpose: the Remix plugin must not be loaded here.
export default defineConfig({
  resolve: { alias: { "~": fileURLToPath(new URL("app", import.meta.url)) } },
  test: {
    // Loading the modules again for each file would take a quarter of the time, so most files share them.
    projects: [
      {
        extends: true,
        test: { name: "together", isolate: false, include: filesWhere((file) => !isAlone(file)) },
      },
      { extends: true, test: { name: "alone", isolate: true, include: filesWhere(isAlone) } },
    ],
    globalSetup: ["tests/build-worker.ts", "tests/own-postgres.ts"],
    setupFiles: ["tests/setup.ts"],
    pool: "forks",
    // Tests often wait for processes that they start: with two workers a quarter of two cores stays idle, with three a tenth.
    maxWorkers: 3,
    // These limits end tests that hang, not slow ones: an expected event never takes that long.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: 300_000 } },
    allowOnly: false,
    reporters: ["default", ["json", { outputFile: join(RESULTS, "vitest.json") }], unhandledErrors],
  },
});
