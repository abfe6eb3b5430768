import { existsSync } from "node:fs";
import { z } from "zod";
import type { Colour } from "./colour";
import { OWN_ANCHORS } from "./palette";
import { publicFile } from "./public-files.server";
import { readSmallFile } from "./variable-values.server";

const LOGO_BYTES = 8 * 1024;
const NAME = "a name of at most 60 characters";

const colour = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, "a colour such as #006B75")
  .transform((text) => text.toUpperCase() as Colour);

const HTTPS_ADDRESS = /^https:\/\/[^\s"<>]+$/;

const httpsAddress = z.string().regex(HTTPS_ADDRESS, "an https address");

const PAYMENT_ADDRESS = "an https address; {policyNo} and {amount}, if at all, in its query";
const PLACEHOLDER = /\{(?:policyNo|amount)\}/g;

const paymentAddress = z.string().refine((text) => {
  const [page = "", ...query] = text.split("?");
  const rest = query.join("?").replace(PLACEHOLDER, "");
  return HTTPS_ADDRESS.test(text) && URL.canParse(text) && !/[{}]/.test(page + rest);
}, PAYMENT_ADDRESS);

const RECIPIENT = "a name of at most 70 characters, without |";

/** The bar separates the fields of a transfer's QR code. */
const recipient = z
  .string()
  .trim()
  .regex(/^[^|\p{Cc}]{1,70}$/u, RECIPIENT);

/** Nine digits and a check digit (regulation of the Minister of Finance on NIP; modulo 11). */
const taxNumber = z.string().refine((text) => {
  const weights = [6, 5, 7, 2, 3, 4, 5, 6, 7];
  const sum = weights.reduce((total, weight, nth) => total + weight * Number(text[nth]), 0);
  return /^\d{10}$/.test(text) && sum % 11 === Number(text[9]);
}, "a NIP: ten digits, the last one right");

const address = z
  .string()
  .refine(
    (text) => HTTPS_ADDRESS.test(text) || isPublicPdf(text),
    "the path of a PDF in public, such as /documents/terms.pdf, or an https address",
  );

/** As people in Poland dial it: pages and the links that dial add the country themselves. */
const withoutCountry = (phone: string) => phone.trim().replace(/^\+48 ?/, "");

const isPhone = (phone: string | undefined) => /^[\d ]{9,14}$/.test(phone ?? "");

const phones = z.string().transform((text, context): readonly [string, string] => {
  const [first, second, ...more] = text.split(",").map(withoutCountry);
  if (first !== undefined && second !== undefined && isPhone(first) && isPhone(second) && more.length === 0)
    return [first, second];
  context.addIssue({ code: "custom", message: "two phone numbers, separated by a comma" });
  return z.NEVER;
});

const phone = z
  .string()
  .transform(withoutCountry)
  .refine(isPhone, "one phone number such as 800 100 300, with or without +48");

const hours = z.string().transform((text, context) => {
  const [, opens = "", closes = ""] = /^(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  const read = { opens: Number(opens), closes: Number(closes) };
  if (closes !== "" && read.opens < read.closes && read.closes <= 24) return read;
  context.addIssue({ code: "custom", message: "full hours such as 9-18" });
  return z.NEVER;
});

/** An SVG that is safe inline. Operators are trusted, but a policy breach would only show up in a browser. */
const logo = z
  .string()
  .refine(isSafeSvg, "a file with an SVG of at most 8 KB, without scripts, styles and links");

const securityContact = z
  .string()
  .regex(/^(mailto:[^\s@<>]+@[^\s@<>]+|https:\/\/[^\s"<>]+)$/, "a mailto: or https: address");

/** Marks variables that a production portal needs to serve: with the default it would speak for the demo's insurer. */
const needed = "to serve in production";

/** The phones of the demo's insurer. No other insurer is given its emergency number. */
const DEMO_PHONES: readonly [string, string] = ["22 100 20 30", "800 100 200"];
const DEMO_ASSISTANCE = "22 100 20 99";

/** The insurer's name, contacts, documents and colours. Without any of these it is the demo's invented insurer. */
export const brandVariables = {
  BRAND_NAME: z.string().trim().min(1, NAME).max(60, NAME).default("Tarnea Ubezpieczenia").meta({
    description:
      "The insurer's name, for titles and the footer. Its first word is the first line of the wordmark and starts each text message; the rest is the wordmark's second line.",
    needed,
  }),
  BRAND_LOGO: logo.optional().meta({
    description:
      "An SVG file of at most 8 KB, without scripts, styles or links. It replaces the arch next to the name, 36 px high.",
  }),
  BRAND_PHONES: phones.default(DEMO_PHONES).meta({
    description:
      "The helpline's two numbers as people read them, with or without `+48`, separated by a comma. The default is the demo's.",
    needed,
  }),
  BRAND_HOURS: hours.default({ opens: 9, closes: 18 }).meta({
    description: "When the helpline answers, Monday to Friday, in full hours. The default is `9-18`.",
  }),
  BRAND_EMAIL: z.email("an e-mail address").optional().meta({
    description: "The helpline's e-mail address, shown on the contact page. Without it the page shows none.",
  }),
  BRAND_ACCESSIBILITY_EMAIL: z.email("an e-mail address").optional().meta({
    description:
      "Where customers report that a page isn't accessible, shown in the accessibility statement. Without it: `BRAND_EMAIL`.",
  }),
  BRAND_ACCESSIBILITY_COMPLAINT: z.string().trim().min(1).max(600).optional().meta({
    description:
      "How customers complain further about accessibility and by when an answer comes, in the insurer's own Polish words. Without it the statement leaves the paragraph out.",
  }),
  BRAND_CLAIMS_PHONE: phone.optional().meta({
    description: "The number for reporting a claim. Without it customers are given the helpline.",
  }),
  BRAND_CLAIMS_URL: httpsAddress.optional().meta({
    description: "An https address where customers report a claim. Without it they are given a number alone.",
  }),
  BRAND_CLAIMS_HOURS: hours.optional().meta({
    description:
      "When the number for claims answers, Monday to Friday, in full hours such as `8-20`. Without it no hours are named.",
  }),
  BRAND_ASSISTANCE_PHONE: phone.optional().meta({
    description:
      "The number that helps after damage at any hour. Without it customers are given the number for claims, or else the helpline. Only the demo's insurer has one by default.",
  }),
  BRAND_RENEWAL_URL: httpsAddress.optional().meta({
    description:
      "An https address where customers renew a policy that is about to end. Without it they are asked to call the helpline.",
  }),
  BRAND_PAYMENT_URL: paymentAddress.optional().meta({
    description:
      "An https address where customers pay a premium. `{policyNo}` and `{amount}` (`129.00`) in its query are filled in. Without it customers are given the details of a transfer alone.",
  }),
  BRAND_PAYMENT_RECIPIENT: recipient.optional().meta({
    description:
      "Whom a transfer goes to: a name of at most 70 characters, of which a QR code carries the first 20. With a letter outside of ISO 8859-2 there is no QR code. The default is `BRAND_NAME`.",
  }),
  BRAND_PAYMENT_NIP: taxNumber.optional().meta({
    description:
      "The recipient's tax number (NIP) for the QR code of a transfer: ten digits. Some banks' apps ask for it where a company is paid. Without it the field stays empty.",
  }),
  BRAND_TERMS: address.default("/documents/regulamin-portalu.pdf").meta({
    description:
      "The terms of use: an https address, or the path of a PDF that was in `public` when the portal was built.",
    needed,
  }),
  BRAND_COOKIES: address
    .default("/documents/polityka-cookies.pdf")
    .meta({ description: "The cookie policy, in the same form as `BRAND_TERMS`.", needed }),
  BRAND_PRIVACY: address
    .default("https://tarnea.example/polityka-prywatnosci")
    .meta({ description: "The privacy policy, in the same form as `BRAND_TERMS`.", needed }),
  BRAND_SECURITY_CONTACT: securityContact.default("mailto:bezpieczenstwo@tarnea.example").meta({
    description:
      "Where to report a weakness of the portal, for `/.well-known/security.txt`: a `mailto:` or `https:` address. The default is the demo's.",
    needed,
  }),
  BRAND_COLOR_PRIMARY: colour.default(OWN_ANCHORS.primary).meta({
    description:
      "The colour of buttons and links, as `#RRGGBB`. White text on it must have a contrast of at least 4.5. All shades are mixed from the four colours.",
  }),
  BRAND_COLOR_DARK: colour.default(OWN_ANCHORS.dark).meta({
    description:
      "The colour of the footer and of the sign-in page's panel. White text on it needs a contrast of 9.",
  }),
  BRAND_COLOR_ACCENT: colour
    .default(OWN_ANCHORS.accent)
    .meta({ description: "The colour of small accents. `BRAND_COLOR_INK` on it needs a contrast of 4.5." }),
  BRAND_COLOR_INK: colour
    .default(OWN_ANCHORS.ink)
    .meta({ description: "The colour of text. On white it needs a contrast of 12." }),
};

/** The variables of the brand that a production portal can't serve without. */
export const BRAND_NEEDED = Object.entries(brandVariables)
  .filter(([, schema]) => schema.meta()?.needed === needed)
  .map(([name]) => name);

/**
 * A sentence, if a portal is about to serve in production as the demo's insurer. Commands show no brand, so they don't
 * check.
 * @param source the variables that are set
 */
export function demoBrandProblems(
  source: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
  const missing = BRAND_NEEDED.filter((name) => !source[name]);
  if (source["PORTAL_MODE"] !== "production" || missing.length === 0) return [];
  return [`${missing.join(", ")}: expected in production, or customers would meet the demo's insurer`];
}

/** The number that the demo's insurer has around the clock; nothing for an insurer with other phones. */
export function demoAssistance(phones: readonly string[]): string | undefined {
  return phones.join() === DEMO_PHONES.join() ? DEMO_ASSISTANCE : undefined;
}

/** Whether a path names an existing PDF. It must exist, because pages state its size. */
function isPublicPdf(path: string): boolean {
  return /^(\/[\w-]+)+\.pdf$/.test(path) && existsSync(publicFile(path));
}

function isSafeSvg(file: string): boolean {
  try {
    const svg = withoutProlog(readSmallFile(file));
    return (
      Buffer.byteLength(svg) <= LOGO_BYTES &&
      /^<svg\b[^]*<\/svg>$/.test(svg) &&
      !/<(script|style|foreignObject|image|use|a)\b|\bon\w+\s*=|\bstyle\s*=|href/i.test(svg)
    );
  } catch {
    return false;
  }
}

/** The SVG without the XML declaration that drawing programs add, which can't be inlined. */
export function withoutProlog(svg: string): string {
  return svg.replace(/^\s*<\?xml[^>]*\?>/, "").trim();
}
