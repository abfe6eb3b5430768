import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const MINUTE = 60_000;

// The same contract suite, with another server's customers and time for a person to read codes from phones.
export default defineConfig({
  root: here("../.."),
  resolve: {
    alias: [
      { find: "~", replacement: here("../../app") },
      { find: /^\.\.\/demo-customers$/, replacement: here("customers.ts") },
    ],
  },
  test: {
    include: ["tests/conformance/suite.ts"],
    pool: "forks",
    testTimeout: process.env["CONFORMANCE_PROMPT"] === undefined ? MINUTE : 30 * MINUTE,
  },
});
