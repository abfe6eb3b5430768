import { readPhone } from "~/contract/rules";
import { smsReach } from "../messages/sms-reach.server";

const PESEL = /^(\d{2})(\d{2})(\d{2})\d{5}$/;
const PESEL_WEIGHTS = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1];
/** A PESEL adds twenty to the month for each century after 1900, and eighty for the one before. */
const CENTURIES = [1900, 2000, 2100, 2200, 1800] as const;
const MONTHS = 20;

/** The year of birth in a PESEL; undefined if it has no day that exists. */
export function birthYearOf(pesel: string): number | undefined {
  const [, years = 0, months = 0, day] = PESEL.exec(pesel)?.map(Number) ?? [];
  const century = CENTURIES[Math.floor(months / MONTHS)];
  if (century === undefined || day === undefined) return undefined;
  const born = new Date(Date.UTC(century + years, (months % MONTHS) - 1, day));
  return born.getUTCDate() === day && born.getUTCMonth() === (months % MONTHS) - 1
    ? century + years
    : undefined;
}

/** Whether the check digit of a PESEL is right. */
export function hasPeselCheckDigit(pesel: string): boolean {
  return PESEL_WEIGHTS.reduce((sum, weight, at) => sum + weight * Number(pesel[at]), 0) % 10 === 0;
}

/** Digits in groups, as people part them. */
const GROUPS = /\+?\d+(?:[\s\p{Dash}()./]+\d+)*/gu;
/** As many digits in one group may be a PESEL, or most of an account number. */
const LONG_GROUP = 11;

/**
 * Whether a text holds a PESEL or a phone number, however it is spelled: the audit and the SIEM keep what staff type for
 * years. Any whole groups of digits side by side may be one.
 */
export function holdsPersonalNumber(text: string): boolean {
  return (text.normalize("NFKC").match(GROUPS) ?? []).some((chain) => {
    const groups = chain.match(/\d+/g) ?? [];
    return groups.some((_, from) =>
      groups.some((_last, to) => isPersonal(groups.slice(from, to + 1), from === 0 && chain.startsWith("+"))),
    );
  });
}

function isPersonal(groups: readonly string[], isInternational: boolean): boolean {
  const digits = groups.join("");
  if (groups.length === 1 && digits.length >= LONG_GROUP) return true;
  if (birthYearOf(digits) !== undefined && hasPeselCheckDigit(digits)) return true;
  switch (smsReach(readPhone(`${isInternational ? "+" : ""}${digits}`), ["+48"])) {
    case "mobile":
      return true;
    case "landline":
      // Any other nine digits may be the number of a case.
      return isInternational || /2322$/.test(groups.map(({ length }) => length).join(""));
    case "country":
      return isInternational;
    case "no-sms":
      return false;
  }
}
