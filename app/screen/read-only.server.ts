import type { ActionFunctionArgs } from "@remix-run/node";
import { problem } from "~/i18n/problem.server";
import { enter, type Audience } from "~/session/gate.server";

/** The action of a screen that has no form: the gate as everywhere, then 405. */
export function readOnly(audience?: Audience) {
  return async ({ request }: ActionFunctionArgs): Promise<never> => {
    if (audience === "signed-in") await enter(request, audience);
    throw await problem(request, 405, { Allow: "GET, HEAD" });
  };
}
