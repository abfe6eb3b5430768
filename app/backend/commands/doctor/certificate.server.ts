import { DAY } from "../../clock.server";
import { ok, problem, warning, type Check, type Finding } from "./check.server";
import { reach } from "./reach.server";

const LEAST_DAYS = 7;
const GOOD_DAYS = 21;

/** Whether PUBLIC_ORIGIN is reached from here, and how long its certificate is good. */
export const certificate: Check = {
  name: "certificate",
  needs: [],
  run: async ({ settings: { PUBLIC_ORIGIN }, clock }) => {
    if (PUBLIC_ORIGIN === undefined) return ok("none needed: PUBLIC_ORIGIN is not set");
    const reached = await reach(PUBLIC_ORIGIN);
    if (reached.kind === "unreached")
      return problem(`${PUBLIC_ORIGIN} is not reached from here: ${reached.reason}`);
    if (reached.distrust !== undefined)
      return problem(`browsers refuse the certificate of ${PUBLIC_ORIGIN}: ${reached.distrust}`);
    if (reached.endsAt === undefined) return ok(`none needed: ${PUBLIC_ORIGIN} is not https`);
    return judgeDays(Math.floor((reached.endsAt - clock()) / DAY));
  },
};

/** Judges how many days a certificate is still good. */
export function judgeDays(days: number): Finding {
  const text = `good for ${days} more days`;
  if (days >= GOOD_DAYS) return ok(text);
  return days < LEAST_DAYS ? problem(`${text}: renew it now`) : warning(`${text}: renew it`);
}
