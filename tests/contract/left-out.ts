import type { TestContext } from "vitest";
import type { Way } from "./way";

/** Says in the report that a promise can't be asked of this server. For our own backend that is an error. */
export function leftOut(way: Way, context: TestContext, what: string): never {
  context.skip(way.mayLeaveOut === true, what);
  throw new Error(what);
}
