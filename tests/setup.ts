import { afterEach, beforeEach } from "vitest";

/**
 * An unexpected warning is a defect: React, i18next and Node report there what is about to break.
 * A test that expects one spies on the console itself.
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
