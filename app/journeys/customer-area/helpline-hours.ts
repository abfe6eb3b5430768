import type { Brand } from "~/platform/config/brand.server";

/** The helpline's state now: keys of `common:helpline`. */
export type HelplineState = "openNow" | "closedToday" | "closedTomorrow" | "closedMonday";

const FRIDAY = 5;

/** Whether the helpline is open at this moment, in Poland (specification §1: from 9 to 18), or when it opens. */
export function helplineState(now: Date, { opens, closes }: Brand["hours"]): HelplineState {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: "Europe/Warsaw",
    weekday: "short",
    hour: "2-digit",
    hourCycle: "h23",
  }).formatToParts(now);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value ?? "";
  const day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"].indexOf(part("weekday"));
  const hour = Number(part("hour"));
  const working = day >= 1 && day <= FRIDAY;
  if (working && hour >= opens && hour < closes) return "openNow";
  if (working && hour < opens) return "closedToday";
  const opensTomorrow = day < FRIDAY;
  return opensTomorrow ? "closedTomorrow" : "closedMonday";
}
