import { z } from "zod";
import { CURRENCIES, LONGEST_TITLE, type ToldPremium, toldPremium } from "~/contract/premium.server";
import { daysBetween, isoDayInPoland } from "~/platform/time.server";
import { type Found, problemsOf, withoutEmpty } from "./line-problems.server";

/** Accounts as systems write them: in groups, with dashes, in small letters, and Polish ones without their country. */
function asIban(text: string): string {
  const plain = text.replaceAll(/[\s-]/g, "").toUpperCase();
  return /^\d{26}$/.test(plain) ? `PL${plain}` : plain;
}

/** A day that is further away is a mistyped one. */
const FARTHEST_YEARS = 5;

const nearDay = z.iso
  .date()
  .refine(
    (day) => Math.abs(daysBetween(isoDayInPoland(Date.now()), day)) <= FARTHEST_YEARS * 365.25 + 1,
    `a day within ${FARTHEST_YEARS} years of today`,
  )
  .nullable()
  .default(null);

/** A premium as a line lists it: the fields that can be null may be missing, or empty. */
const listedPremium = withoutEmpty(
  ["dueOn", "paidUntil", "account", "title"],
  z.strictObject({
    amount: toldPremium.shape.amount,
    currency: toldPremium.shape.currency,
    dueOn: nearDay,
    paidUntil: nearDay,
    account: z.string().transform(asIban).pipe(toldPremium.shape.account.unwrap()).nullable().default(null),
    title: z
      .string()
      .transform((text) => text.normalize("NFC").trim())
      .pipe(toldPremium.shape.title.unwrap())
      .nullable()
      .default(null),
  }),
);

const A_DAY = "a day such as 2026-12-10, in quotes";
const EXPECTED: Readonly<Record<keyof ToldPremium, string>> = {
  amount: 'an amount from "0.01" to "9999999.99", in quotes, with two decimal places',
  currency: CURRENCIES.join(" or "),
  dueOn: A_DAY,
  paidUntil: A_DAY,
  account: "an IBAN, or the 26 digits of a Polish account, with the right check digits",
  title: `one line of at most ${LONGEST_TITLE} characters`,
};

const A_PREMIUM = `${Object.keys(EXPECTED).join(", ")} and nothing else`;

/** Reads the premium of a policy. A problem names each wrong field, and quotes nothing. */
export function readPremium(listed: unknown): Found<ToldPremium> {
  const read = listedPremium.safeParse(listed, { error: ({ path: [field] = [] }) => expected(field) });
  return read.success
    ? { ok: true, value: read.data }
    : { ok: false, problem: problemsOf(read.error.issues) };
}

function expected(field: PropertyKey | undefined): string {
  const known = Object.entries(EXPECTED).find(([name]) => name === field);
  return known ? known[1] : A_PREMIUM;
}
