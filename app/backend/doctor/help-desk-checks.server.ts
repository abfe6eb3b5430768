import { fetchOutside } from "~/platform/network/forward-proxy.server";
import { discoverIssuer, faultOf, IssuerFault } from "~/platform/network/issuer.server";
import { type Check, type Finding, ok, warning } from "./check.server";
import { aheadBy, clockFinding } from "./clock-checks.server";
import { ask, inShort } from "./portal-checks.server";
import { ANSWER_MS } from "./reach.server";

/** The checks of the pages for staff, where they are set up: customers are served without them. */
export const HELP_DESK_CHECKS: readonly Check[] = [
  {
    name: "help desk",
    run: async ({ settings: { HELP_DESK_ORIGIN: origin }, clock }) => {
      if (origin === undefined) return ok("not looked at: HELP_DESK_ORIGIN is not set");
      const [alive, ready] = await Promise.all([
        ask(`${origin}/healthz`, clock()),
        ask(`${origin}/readyz`, clock()),
      ]);
      if (!alive)
        return warning(`${origin} does not answer: see whether it is reached from here, and its log`);
      if (ready?.status === 503)
        return warning(`${origin}/readyz says ${inShort(ready.body)}: see the help desk's log`);
      return alive.status === 200 && alive.body.trim() === "ok"
        ? ok(`${origin} answers${ready?.status === 200 ? ", and is ready" : ""}`)
        : warning(
            `${origin}/healthz answers with status ${alive.status}: see the proxy's and the help desk's log`,
          );
    },
  },
  // Its configuration, its keys and its clock, as a sign-on needs them.
  {
    name: "staff's issuer",
    run: async ({ settings: { HELP_DESK_ISSUER: issuer, PORTAL_MODE, limits }, clock }) => {
      if (issuer === undefined) return ok("not looked at: HELP_DESK_ISSUER is not set");
      let [date, before, after] = [Number.NaN, clock(), 0];
      const client = { HELP_DESK_CLIENT_ID: undefined, HELP_DESK_CLIENT_SECRET: undefined };
      const found = await discoverIssuer(
        { ...client, PORTAL_MODE, HELP_DESK_ISSUER: issuer },
        async (url, init) => {
          before = clock();
          const answer = await fetchOutside(url, init as RequestInit);
          [date, after] = [Date.parse(answer.headers.get("Date") ?? ""), clock()];
          return answer;
        },
      );
      if (found instanceof IssuerFault) return faultFinding(issuer, found);
      const keys = await keysFault(found.serverMetadata().jwks_uri ?? "");
      if (keys !== undefined) return keys instanceof IssuerFault ? faultFinding(issuer, keys) : warning(keys);
      const { level, text } = clockFinding(Number.isNaN(date) ? 0 : aheadBy(date, before, after), limits);
      return level === "ok"
        ? ok(`${issuer} answers, and has keys`)
        : warning(`${issuer} answers, but the clocks are off: ${text}; beyond 30 s no one can sign on`);
    },
  },
];

function faultFinding(issuer: string, { kind, code, advice }: IssuerFault): Finding {
  return warning(
    `${issuer} ${kind === "unusable" ? "answers, but not usably" : "does not answer"} (${code}): ${advice}`,
  );
}

/** Why no ID token could be checked; undefined if there is a key for one of the algorithms. */
async function keysFault(address: string): Promise<IssuerFault | string | undefined> {
  try {
    const answer = await fetchOutside(address, {
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { keys } = (await answer.json()) as { keys?: readonly { kty?: unknown; crv?: unknown }[] };
    const isGood = keys?.some(({ kty, crv }) => kty === "RSA" || (kty === "EC" && crv === "P-256"));
    return isGood ? undefined : `${address} has no key for RS256, PS256 or ES256: see the issuer's settings`;
  } catch (error) {
    return faultOf(error) ?? `${address} does not answer with keys: see the issuer's log`;
  }
}
