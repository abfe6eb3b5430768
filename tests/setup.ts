import { afterAll, afterEach, beforeEach } from "vitest";
import { endFile } from "./end-of-file";

/** Dropping a database waits for the disk, which takes long on a busy machine. */
const END_MS = 600_000;
afterAll(endFile, END_MS);

/**
 * Lines that a test has written to the console. Anything unexpected there is a defect: React, i18next and Node warn of
 * things that are about to break. A test that expects a warning spies on the console itself.
 */
const unexpected: string[] = [];
const original = { error: console.error, warn: console.warn };

beforeEach(() => {
  unexpected.length = 0;
  console.error = (...args: unknown[]) => unexpected.push(args.map(String).join(" "));
  console.warn = (...args: unknown[]) => unexpected.push(args.map(String).join(" "));
});

afterEach(() => {
  Object.assign(console, original);
  if (unexpected.length > 0) throw new Error(`Unexpected on the console:\n${unexpected.join("\n")}`);
});
