import { z } from "zod";

/** The currencies of premiums. */
export const CURRENCIES = ["PLN", "EUR"] as const;
/** A currency of a premium. */
export type Currency = (typeof CURRENCIES)[number];

/** An amount is text, so that no rounding ever touches it. */
const amount = z
  .string()
  .regex(/^(?!0\.00$)(?:0|[1-9]\d{0,6})\.\d{2}$/)
  .describe("0.01 to 9999999.99, with two decimal places.");

/** Check digits are 02 to 98 (ISO 13616-1). */
const IBAN = /^(?:PL\d{26}|(?!PL)[A-Z]{2}\d{2}[A-Z\d]{11,30})$/;

/**
 * Whether this is an IBAN: without spaces, in upper case, its check digits right (ISO 7064, MOD 97-10). A Polish one has
 * 28 characters.
 */
function isIban(text: string): boolean {
  if (!IBAN.test(text) || ["00", "01", "99"].includes(text.slice(2, 4))) return false;
  // The country and the check digits go to the end, and each letter counts as two digits: A is 10, Z is 35.
  const digits = (text.slice(4) + text.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n;
}

const account = z
  .string()
  .refine(isIban)
  .describe("An IBAN without spaces, in upper case. Its check digits are right.");

/** As many as a Polish transfer takes: three lines of 35. */
export const LONGEST_TITLE = 105;
/** Anything that would break the line, turn the text around it, or not be seen. */
const NOT_ONE_LINE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

const title = z
  .string()
  .refine((text) => text.trim() !== "" && [...text].length <= LONGEST_TITLE && !NOT_ONE_LINE.test(text))
  .describe(`The words that the transfer must carry: 1 to ${LONGEST_TITLE} code points in one line.`);

/** A policy's premium, as the insurer's system lists it. */
export const sourcePremium = z.object({
  amount,
  currency: z.enum(CURRENCIES),
  dueOn: z.iso.date().nullable().describe("The day on which the next instalment is due; null if none is."),
  paidUntil: z.iso.date().nullable().describe("The day until which the policy is paid; null if unknown."),
  account: account.nullable(),
  title: title.nullable(),
});
/** A policy's premium, as the insurer's system lists it. Days as `YYYY-MM-DD`. */
export type SourcePremium = z.infer<typeof sourcePremium>;

/** A policy's premium. */
export const premium = sourcePremium.extend({
  asOf: z.iso
    .date()
    .optional()
    .describe("The day, in Poland, of which these data are. A payment since then isn't in them."),
});
/** A policy's premium. `paidUntil` on or after `dueOn` means that nothing is due. */
export type Premium = z.infer<typeof premium>;
