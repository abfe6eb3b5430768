import { smsReach } from "~/backend/messages/sms-reach.server";
import type { Policyholder } from "./policyholder-line.server";
import type { Warning, WarningKind } from "./warning.server";

/**
 * Doubts about the number and the identifier of a valid line.
 * @param smsPrefixes the countries whose numbers get messages
 */
export function warningsOn(
  { kind, phone, pid }: Policyholder,
  smsPrefixes: readonly string[],
): readonly Warning[] {
  const doubts = [
    { where: "phone", kind: doubtOfPhone(phone, smsPrefixes) },
    { where: "pid", kind: doubtOfPid(kind, pid) },
  ];
  return doubts.flatMap((doubt) => (doubt.kind === undefined ? [] : [{ ...doubt, kind: doubt.kind }]));
}

const NINE_DIGITS = /^\+48\d{9}$/;

function doubtOfPhone(phone: string, prefixes: readonly string[]): WarningKind | undefined {
  switch (smsReach(phone, prefixes)) {
    case "mobile":
      return undefined;
    case "landline":
      return "notMobile";
    case "country":
      return "outsideOfPrefixes";
    case "no-sms":
      return NINE_DIGITS.test(phone) ? "specialRate" : "notNineDigits";
  }
}

const PESEL_WEIGHTS = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1];
const NIP_WEIGHTS = [6, 5, 7, 2, 3, 4, 5, 6, 7];

function doubtOfPid(kind: Policyholder["kind"], pid: string): WarningKind | undefined {
  const digits = [...pid].map(Number);
  if (kind === "individual") return weighed(digits, PESEL_WEIGHTS) % 10 === 0 ? undefined : "peselCheckDigit";
  if (kind === "company")
    return weighed(digits, NIP_WEIGHTS) % 11 === digits.at(-1) ? undefined : "nipCheckDigit";
  return undefined;
}

function weighed(digits: readonly number[], weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * (digits[at] ?? 0), 0);
}
