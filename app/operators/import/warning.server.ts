import { WITHOUT_END } from "~/contract/customer-area.server";

/** The warnings of an import. Each text follows the place in the line, and quotes nothing from it. */
export const WARNINGS = {
  emailLeftOut: "left out: expected an address that e-mails can be sent to, of at most 254 characters",
  premiumLeftOut: "left out",
  outsideOfPrefixes: "a number outside of SMS_PREFIXES, which gets no text messages",
  notNineDigits: "a Polish number without nine digits, which gets no text messages",
  specialRate: "a special-rate number, which gets no text messages",
  notMobile: "a landline, or another number that hardly ever gets text messages",
  peselCheckDigit: "a PESEL with a wrong check digit",
  nipCheckDigit: "a NIP with a wrong check digit",
  oddValidity: `a day before 1950 or after 2150; cover without an end ends on ${WITHOUT_END}`,
  futureDocument: "a day in the future",
  titleWithoutCode: "a letter that banks can't carry, so the payment page shows no QR code",
} as const;

export type WarningKind = keyof typeof WARNINGS;

/** Something wrong with a line that is written nevertheless. */
export interface Warning {
  readonly kind: WarningKind;
  /** The field. */
  readonly where: string;
  /** The faults in it, if it has several fields. Quotes nothing from them. */
  readonly faults?: string;
}

/** A warning for the operator: the field and what is wrong with it. */
export function inWords({ kind, where, faults }: Warning): string {
  return `${where}: ${WARNINGS[kind]}${faults === undefined ? "" : `: ${faults}`}`;
}
