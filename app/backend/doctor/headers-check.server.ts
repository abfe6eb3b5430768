import { type Check, ok, warning } from "./check.server";
import { ANSWER_MS } from "./reach.server";

/** Whether a proxy passes on the headers that the pages' script reads (docs/operations/production.md). */
export const HEADERS_CHECK: Check = {
  name: "headers",
  run: async ({ settings: { PUBLIC_ORIGIN } }) => {
    if (PUBLIC_ORIGIN === undefined) return ok("not looked at: PUBLIC_ORIGIN is not set");
    const missing = await missingHeaders(PUBLIC_ORIGIN);
    if (missing === undefined) return ok("not looked at: PUBLIC_ORIGIN did not answer");
    return missing.length === 0
      ? ok("the pages' script can read its answers")
      : warning(
          `answers of ${PUBLIC_ORIGIN} lack ${missing.join(" and ")}, so customers must send each form twice: let proxies pass them`,
        );
  },
};

/** The check of the certificate says why there is no answer. */
async function missingHeaders(origin: string): Promise<readonly string[] | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    // As the script asks, without cookies: it is led on to the page about them.
    const init = { headers: { "X-Portal-Form": "1" }, redirect: "manual", signal } as const;
    const { status, headers, body } = await fetch(`${origin}/home`, init);
    await body?.cancel();
    const needed = status === 204 ? ["X-Request-Id", "X-Location"] : ["X-Request-Id"];
    return needed.filter((name) => !headers.has(name));
  } catch {
    return undefined;
  }
}
