import { afterAll, beforeAll } from "vitest";
import { startPortal, type PublicPortal } from "../portal";
import { IS_RELEASE } from "../release-run";
import { CAN_START, startTopology } from "../topology/topology";

/** What is attacked: one portal, asked directly, or several behind nginx on one PostgreSQL. */
export type Ground = "a portal" | "a topology";

/** At a landing a portal; before a release both. */
export const GROUNDS: readonly Ground[] = IS_RELEASE && CAN_START ? ["a portal", "a topology"] : ["a portal"];

/** What was started, for the tests of a file. */
export interface Started extends PublicPortal {
  readonly log: () => string;
}

/** Starts it before the tests of this block, and stops it after them. @returns a function that gives it to a test */
export function startedOn(ground: Ground, env: Readonly<Record<string, string>> = {}): () => Started {
  let started: (Started & { readonly stop: () => Promise<unknown> }) | undefined;
  beforeAll(async () => {
    started = await (ground === "a portal" ? startPortal({ env }) : startTopology({ env }));
  });
  afterAll(() => started?.stop());
  return () => {
    if (!started) throw new Error(`${ground} has not started`);
    return started;
  };
}
