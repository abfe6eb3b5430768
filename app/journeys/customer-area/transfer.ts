import type { Premium } from "~/contract/premium.server";
import { bankText } from "~/platform/bank-text.server";
import { brand } from "~/platform/config/brand.server";

/** A transfer that pays a premium, as a bank asks for it. */
export interface Transfer {
  /** An IBAN without spaces. */
  readonly account: string;
  readonly recipient: string;
  readonly title: string;
}

/** The transfer that pays a premium; undefined without an account. Its title is the policy's number unless there is another. */
export function transferOf({ account, title }: Premium, policyNo: string): Transfer | undefined {
  if (account === null) return undefined;
  return { account, recipient: brand().payment.recipient, title: title ?? policyNo };
}

/** An IBAN as people read it: "PL61 1090 1014 …" (ISO 13616-1). */
export function groupsOfFour(account: string): string {
  return account.replace(/(.{4})(?=.)/g, "$1 ");
}

/** An amount as Polish banks' forms take it: "1234,50". */
export function amountTyped({ amount }: Premium): string {
  return amount.replace(".", ",");
}

/** The insurer's pay page for a policy. */
export function payPageAddress(url: string, policyNo: string, { amount }: Premium): string {
  const filled = { "{policyNo}": policyNo, "{amount}": amount };
  return url.replace(/\{(?:policyNo|amount)\}/g, (place) =>
    encodeURIComponent(filled[place as keyof typeof filled]),
  );
}

/** The account of a domestic transfer. */
const POLISH_ACCOUNT = /^PL(\d{26})$/;
/** In characters, as the recommendation allows. */
const RECIPIENT_LENGTH = 20;
const TITLE_LENGTH = 32;
/** Grosze have six digits. */
const GROSZE = /^\d{3,6}$/;

/**
 * The text of a QR code that fills in a transfer in the apps of Polish banks: the recommendation of the Polish Bank
 * Association on two-dimensional codes (3 December 2013), in UTF-8. Fields: NIP, country, account, grosze, recipient,
 * title, and three that are reserved.
 * @returns undefined where the recommendation has no code: another currency or country, or more than 9999.99 zł. Nor for
 *   a title that doesn't fit, because the insurer couldn't tell whose money a cut one is, or for letters that banks don't
 *   carry.
 */
export function transferCode(
  { account, recipient, title }: Transfer,
  { amount, currency }: Premium,
): string | undefined {
  const [, digits] = POLISH_ACCOUNT.exec(account) ?? [];
  const grosze = amount.replace(".", "");
  if (currency !== "PLN" || digits === undefined || !GROSZE.test(grosze)) return undefined;
  const [toWhom, what] = [bankText(recipient.replaceAll("|", " ")), bankText(title)];
  if (toWhom === undefined || what === undefined || what.includes("|") || what.length > TITLE_LENGTH)
    return undefined;
  const shortened = toWhom.slice(0, RECIPIENT_LENGTH).trim();
  const { nip = "" } = brand().payment;
  return [nip, "PL", digits, grosze.padStart(6, "0"), shortened, what, "", "", ""].join("|");
}
