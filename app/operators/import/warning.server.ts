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
