import type { RouteArgs } from "~/server/front-door/context.server";
import { problemResponse } from "./static-page.server";
import { problem } from "./problem";

const ALLOWED = { Allow: "GET, HEAD" };

/** The action of a screen without a form: its gate, if it has one, then 405. */
export function readOnly(gate?: (args: RouteArgs) => Promise<unknown>) {
  return async (args: RouteArgs): Promise<never> => {
    await gate?.(args);
    throw problem(405, ALLOWED);
  };
}

/** Answers 405 for an address without a screen. */
export function readOnlyFile(args: RouteArgs): Promise<Response> {
  return problemResponse(args, 405, { headers: ALLOWED });
}
