import { WITHOUT_END } from "~/contract/customer-area.server";
import { smsReach } from "~/backend/messages/sms-reach.server";
import { bankText } from "~/platform/bank-text.server";
import { isoDayInPoland } from "~/platform/time.server";
import { hasPeselCheckDigit } from "~/backend/support/personal-numbers.server";
import type { ListedPolicy, Policyholder } from "./policyholder-line.server";
import type { Warning, WarningKind } from "./warning.server";

/**
 * Doubts about the number, the identifier and the policies of a valid line.
 * @param smsPrefixes the countries whose numbers get messages
 */
export function warningsOn(
  { kind, phone, pid, policies }: Policyholder,
  smsPrefixes: readonly string[],
): readonly Warning[] {
  const doubts = [
    { where: "phone", kind: doubtOfPhone(phone, smsPrefixes) },
    { where: "pid", kind: doubtOfPid(kind, pid) },
    ...policies.flatMap((policy, nth) =>
      policy.withdrawn
        ? []
        : doubtsOfPolicy(policy).map(({ where, ...doubt }) => ({
            where: `policies.${nth}.${where}`,
            ...doubt,
          })),
    ),
  ];
  return doubts.flatMap((doubt) => (doubt.kind === undefined ? [] : [{ ...doubt, kind: doubt.kind }]));
}

interface Doubt {
  readonly where: string;
  readonly kind: WarningKind | undefined;
}

function doubtsOfPolicy({ validFrom, validTo, premium, documents }: ListedPolicy): readonly Doubt[] {
  const today = isoDayInPoland(Date.now());
  const validity = (day: string) =>
    day < "1950-01-01" || (day > "2150-12-31" && day !== WITHOUT_END) ? "oddValidity" : undefined;
  return [
    { where: "validFrom", kind: validity(validFrom) },
    { where: "validTo", kind: validity(validTo) },
    {
      where: "premium.title",
      kind: bankText(premium?.title ?? "") === undefined ? "titleWithoutCode" : undefined,
    },
    ...documents.map(({ issuedOn }, nth) => ({
      where: `documents.${nth}.issuedOn`,
      kind: issuedOn > today ? ("futureDocument" as const) : undefined,
    })),
  ];
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

const NIP_WEIGHTS = [6, 5, 7, 2, 3, 4, 5, 6, 7];

function doubtOfPid(kind: Policyholder["kind"], pid: string): WarningKind | undefined {
  const digits = [...pid].map(Number);
  if (kind === "individual") return hasPeselCheckDigit(pid) ? undefined : "peselCheckDigit";
  if (kind !== "company") return undefined;
  const sum = NIP_WEIGHTS.reduce((total, weight, at) => total + weight * (digits[at] ?? 0), 0);
  return sum % 11 === digits.at(-1) ? undefined : "nipCheckDigit";
}
