import type { RouteArgs } from "~/front-door/context.server";
import type { ProblemStatus } from "./problem.server";
import { staticPage } from "./static-page.server";
import { pageCsp } from "./stylesheet.server";

interface ProblemDetails {
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the status's usual words. */
  readonly words?: Parameters<typeof staticPage>[2];
}

/**
 * A problem page as a complete response, for addresses without a screen. If they threw one instead, Remix would send
 * its own line in English.
 */
export async function problemResponse(
  args: RouteArgs,
  status: ProblemStatus,
  { headers = {}, words }: ProblemDetails = {},
): Promise<Response> {
  return new Response(await staticPage(args, status, words), {
    status,
    headers: {
      ...headers,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": pageCsp(),
    },
  });
}
