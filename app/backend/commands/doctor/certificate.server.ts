import type { Limits } from "~/platform/config/limits";
import { DAY } from "~/platform/time.server";
import { ok, problem, warning, type Check, type Finding } from "./check.server";
import { reach } from "./reach.server";

/** Whether PUBLIC_ORIGIN can be reached from here, and how long its certificate is valid. */
export const certificate: Check = {
  name: "certificate",
  needs: [],
  run: async ({ settings: { PUBLIC_ORIGIN, limits }, clock }) => {
    if (PUBLIC_ORIGIN === undefined) return ok("none needed: PUBLIC_ORIGIN is not set");
    const reached = await reach(PUBLIC_ORIGIN);
    if (reached.kind === "unreached")
      return problem(`${PUBLIC_ORIGIN} is not reached from here: ${reached.reason}`);
    if (reached.distrust !== undefined)
      return problem(`browsers refuse the certificate of ${PUBLIC_ORIGIN}: ${reached.distrust}`);
    if (reached.endsAt === undefined) return ok(`none needed: ${PUBLIC_ORIGIN} is not https`);
    return judgeDays(Math.floor((reached.endsAt - clock()) / DAY), limits);
  },
};

/** Judges how many days a certificate is still valid; NaN if that cannot be read. */
export function judgeDays(days: number, limits: Limits): Finding {
  if (Number.isNaN(days)) return problem("there is no certificate, or its end cannot be read: replace it");
  const text = `good for ${days} more days`;
  if (days >= limits.DOCTOR_CERTIFICATE_WARNING_DAYS) return ok(text);
  return days < limits.DOCTOR_CERTIFICATE_PROBLEM_DAYS
    ? problem(`${text}: renew it now`)
    : warning(`${text}: renew it`);
}
