import { documentCsp } from "~/front-door/headers";
import { isSecureOrigin } from "~/visit/cookies.server";
import type { ProblemStatus } from "./problem.server";
import { staticPage } from "./static-page.server";
import { stylesheetHash } from "./stylesheet.server";

interface ProblemDetails {
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the text that the status usually has. */
  readonly text?: string;
}

/**
 * A problem page as a whole response, for addresses without a screen. If they throw one instead, Remix sends its own line
 * in English.
 */
export async function problemResponse(
  request: Request,
  status: ProblemStatus,
  { headers = {}, text }: ProblemDetails = {},
): Promise<Response> {
  return new Response(await staticPage(request, status, text), {
    status,
    headers: {
      ...headers,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": documentCsp({ styleHashes: [stylesheetHash], https: isSecureOrigin() }),
    },
  });
}
