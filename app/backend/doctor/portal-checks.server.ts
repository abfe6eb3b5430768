import type { Environment } from "~/platform/config/environment.server";
import {
  DOCTOR_HEADER,
  doctorQuestion,
  type PortalDescription,
  QUESTION_FRESH_MS,
  readDescription,
} from "~/platform/network/doctor-question.server";
import { buildsAtWork } from "../store/serving-portals.server";
import { BUILD } from "~/platform/release.server";
import { type Check, type Finding, ok, problem, warning } from "./check.server";
import { ANSWER_MS } from "./reach.server";

/** Several portals may stand behind one address: each is likely to answer one of these. */
const QUESTIONS = 4;
/** An address for documentation (RFC 5737), claimed by doctor's own requests. */
const CLAIMED = "192.0.2.177";
const MOST_SHOWN = 60;

/** An answer to `/healthz`; undefined if there was none. */
interface Answer {
  readonly status: number;
  readonly body: string;
  /** Only of a portal with the same `SESSION_SECRET`. */
  readonly portal: PortalDescription | undefined;
  /** Whether its clock is so far off that a portal takes no question. */
  readonly isStale: boolean;
}

/** The checks of which processes serve, and of what customers meet at PUBLIC_ORIGIN, by requests of doctor's own. */
export const PORTAL_CHECKS: readonly Check[] = [
  // Whether all processes of ours run this build: portals, the help desk, and jobs that go on, such as the follower.
  {
    name: "builds",
    only: "embedded",
    needs: ["database"],
    run: async ({ database, db }) => {
      if (database.kind === "sqlite") return ok("one portal serves");
      const others = (await buildsAtWork(db())).filter(({ build }) => build !== BUILD);
      if (others.length === 0) return ok("all processes on the database run this build");
      const listed = others.map(({ name, build }) => `${name} ${build}`).join(", ");
      return warning(
        `this is ${BUILD}, and on the database are also: ${listed}; unless an update is under way, restart them (a "portal command" is a job that goes on, such as portal-audit or portal-siem)`,
      );
    },
  },
  // Whether PUBLIC_ORIGIN leads to this portal, and it serves.
  {
    name: "portal",
    run: async ({ settings, clock }) => {
      const { PUBLIC_ORIGIN: origin, SESSION_SECRET } = settings;
      if (origin === undefined) return ok("not looked at: PUBLIC_ORIGIN is not set");
      const [answers, ready] = await Promise.all([
        askOften(origin, settings, clock()),
        ask(`${origin}/readyz`, clock()),
      ]);
      if (answers.length === 0)
        return problem(`${origin}/healthz does not answer: customers meet nothing there`);
      if (ready?.status === 503)
        return problem(
          `${origin}/readyz says ${inShort(ready.body)}: customers are not served; see the portal's log`,
        );
      const found = answers.map((answer) => portalFinding(answer, origin, SESSION_SECRET !== undefined));
      return worst(found);
    },
  },
  // Whether production knows the proxy in front of it, without which all customers share one address (S125).
  {
    name: "proxies",
    run: async ({ settings, clock }) => {
      const { PORTAL_MODE, PUBLIC_ORIGIN: origin, TRUSTED_PROXIES } = settings;
      if (TRUSTED_PROXIES.length === 0)
        return PORTAL_MODE === "production"
          ? problem(
              "the portal speaks http and PUBLIC_ORIGIN is https, so a proxy is in front: name it in TRUSTED_PROXIES, or all customers count as one and are locked out together",
            )
          : ok("none, as in a demo");
      const answers = origin === undefined ? [] : await askOften(origin, settings, clock());
      const found = answers.flatMap(({ portal }) => (portal ? [proxyFinding(portal)] : []));
      const trusted = `trusted: ${TRUSTED_PROXIES.join(", ")}`;
      return found.length === 0
        ? ok(`${trusted}; no portal at PUBLIC_ORIGIN said more`)
        : worst([ok(trusted), ...found]);
    },
  },
];

function portalFinding({ status, body, portal, isStale }: Answer, origin: string, canAsk: boolean): Finding {
  if (status !== 200)
    return problem(
      `${origin}/healthz answers with status ${status}, as customers may be: see the proxy's and the portal's log`,
    );
  if (body.trim() !== "ok")
    return problem(`${origin}/healthz does not answer as a portal does: ${inShort(body)}`);
  if (portal === undefined && isStale)
    return warning(
      `${origin} answers; it is not known whether by this portal, since the clocks are too far apart to ask: synchronise them (NTP)`,
    );
  if (portal === undefined)
    return canAsk
      ? problem(
          `another portal serves ${origin}: it has another SESSION_SECRET. See whether the address leads here`,
        )
      : ok(`${origin} answers; without SESSION_SECRET it is not known whether by this portal`);
  if (portal.readiness !== "ready") return problem(`a portal at ${origin} is not ready: ${portal.readiness}`);
  if (portal.build !== BUILD)
    return warning(
      `${origin} serves build ${portal.build}, and this is ${BUILD}: unless an update is under way, restart what is left of the other one`,
    );
  return ok(`${origin} serves this build`);
}

function proxyFinding({ isForwarded, clientAddress }: PortalDescription): Finding {
  if (!isForwarded)
    return problem(
      `requests come to the portal from ${clientAddress}, which TRUSTED_PROXIES does not name: name it, or all customers count as one and are locked out together`,
    );
  return clientAddress === CLAIMED
    ? warning(
        "the portal believes addresses that clients claim themselves: let the proxy overwrite X-Forwarded-For, and name proxies alone in TRUSTED_PROXIES",
      )
    : ok("the portal trusts the proxy that passed a request on");
}

const LEVELS = ["ok", "warning", "problem"] as const;

/** The first of the worst. */
function worst(found: readonly Finding[]): Finding {
  const by = ({ level }: Finding) => LEVELS.indexOf(level);
  return found.reduce((before, next) => (by(next) > by(before) ? next : before));
}

/** Asks `/healthz` several times, in the portals' own words if the secret is known. Leaves out what isn't answered. */
async function askOften(origin: string, settings: Environment, now: number): Promise<readonly Answer[]> {
  const [secret] = settings.SESSION_SECRET ?? [];
  const headers = {
    "X-Forwarded-For": CLAIMED,
    ...(secret !== undefined && { [DOCTOR_HEADER]: doctorQuestion(secret, now) }),
  };
  const asked = Array.from({ length: QUESTIONS }, () => ask(`${origin}/healthz`, now, headers));
  return (await Promise.all(asked)).filter((answer) => answer !== undefined);
}

/** Asks an address; undefined without an answer. */
export async function ask(
  address: string,
  now: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer | undefined> {
  try {
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await fetch(address, { headers, redirect: "manual", signal });
    const portal = readDescription(answer.headers.get(DOCTOR_HEADER));
    const isStale = Math.abs(Date.parse(answer.headers.get("Date") ?? "") - now) > QUESTION_FRESH_MS;
    return { status: answer.status, body: await answer.text(), portal, isStale };
  } catch {
    // The check of the certificate says why.
    return undefined;
  }
}

/** An answer's beginning, as a line may show it. */
export function inShort(body: string): string {
  return JSON.stringify(body.trim().slice(0, MOST_SHOWN));
}
