import type { ActionFunctionArgs } from "@remix-run/node";
import { problem } from "./problem.server";
import { problemResponse } from "./problem-response.server";

const ALLOWED = { Allow: "GET, HEAD" };

/** The action of a screen without a form: its gate, if it has one, then 405. */
export function readOnly(gate?: (request: Request) => Promise<unknown>) {
  return async ({ request }: ActionFunctionArgs): Promise<never> => {
    await gate?.(request);
    throw await problem(request, 405, ALLOWED);
  };
}

/** The same for an address without a screen. */
export function readOnlyFile({ request }: ActionFunctionArgs): Promise<Response> {
  return problemResponse(request, 405, { headers: ALLOWED });
}
