import { zonedTimeInPoland as at } from "~/platform/time.server";
import { counted } from "../kit/command.server";
import type { Incident } from "./incident.server";

const VALUE = 8;

/** An incident for people: each figure, and below it how it was counted. */
export function incidentInWords(incident: Incident): readonly string[] {
  const { from, to, figures, longestPause, operations, audit, notKnown } = incident;
  const sealed =
    audit.lastSeal === undefined ? "there is no seal yet" : `the last seal is number ${audit.lastSeal}`;
  return [
    `From ${at(from)} to ${at(to)}`,
    "",
    ...figures.flatMap(({ name, value, how }) => [
      `${String(value).padStart(VALUE)}  ${name}`,
      `${"".padStart(VALUE)}    ${how}`,
    ]),
    "",
    longestPause
      ? `Longest time without a sign-in: ${counted(longestPause.minutes, "minute")}, from ${at(longestPause.from)} to ${at(longestPause.to)}`
      : "Somebody signed in every minute",
    ...operations.map(
      ({ at: when, event, operator }) => `${at(when)}  ${event}${operator === null ? "" : `, ${operator}`}`,
    ),
    `Audit: ${counted(audit.events, "event")}, ${audit.unsealed} of them not sealed yet; ${sealed}. portal audit --verify proves that none was changed.`,
    ...notKnown.map((sentence) => `Not known: ${sentence}`),
  ];
}
