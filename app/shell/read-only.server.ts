import type { ActionFunctionArgs } from "@remix-run/node";
import { problem } from "./problem.server";

/** The action of an address without a form: its gate, if it has one, then 405. */
export function readOnly(gate?: (request: Request) => Promise<unknown>) {
  return async ({ request }: ActionFunctionArgs): Promise<never> => {
    await gate?.(request);
    throw await problem(request, 405, { Allow: "GET, HEAD" });
  };
}
