import { domainToASCII } from "node:url";
import { z } from "zod";
import { PRODUCTS } from "~/contract/customer-area.server";
import { CURRENCIES, LONGEST_TITLE, type SourcePremium, sourcePremium } from "~/contract/premium.server";
import { isNumber, type ReadNumber, readPhone, readPid, readPolicyNo } from "~/contract/rules";
import type { Policy } from "../customers/customers.server";
import type { Customer } from "../customers/write-customer.server";
import type { KeptDocument } from "../documents/write-documents.server";
import { daysBetween, isoDayInPoland } from "~/platform/time.server";
import {
  fieldNamed,
  type Found,
  problemsOf,
  repeatedKey,
  type Warning,
  withoutEmpty,
} from "./line-problems.server";

/** The fields that identify a document of a policy. */
export type NamedDocument = Pick<KeptDocument, "kind" | "name" | "issuedOn">;

/** A document of a policy, as a line lists it. A withdrawn document is taken back from its customer. */
export type ListedDocument = NamedDocument &
  (
    | { readonly withdrawn: true }
    /** A path below the folder of the import file. */
    | { readonly withdrawn?: false | undefined; readonly file: string }
  );

/** A policy, as a line lists it. Without a product or a premium, a known policy keeps its own. */
export interface ListedPolicy extends Omit<Policy, "policyNo" | "product" | "premium"> {
  readonly withdrawn?: false | undefined;
  readonly policyNo: ReadNumber;
  readonly product?: Policy["product"] | undefined;
  /** Null takes the premium away. */
  readonly premium?: SourcePremium | null | undefined;
  readonly documents: readonly ListedDocument[];
}

/** A policy that the line takes back from its holder. */
interface WithdrawnPolicy extends Pick<ListedPolicy, "policyNo" | "documents"> {
  readonly withdrawn: true;
}

/** A policyholder from the file, with policies. */
export interface ImportedHolder extends Customer {
  readonly policies: readonly (ListedPolicy | WithdrawnPolicy)[];
}

/**
 * The content of a line, or its problem. A problem quotes nothing from the line, which is personal data, except the
 * name of an unknown or repeated field if it looks like a field's name.
 */
export type LineReading =
  | { readonly ok: true; readonly holder: ImportedHolder; readonly warnings: readonly Warning[] }
  | { readonly ok: false; readonly problem: string };

const LONGEST = 200;
const LONGEST_PATH = 1000;
/** A line is written in a few statements, which take only so many values. */
const MOST_POLICIES = 5000;
const MOST_DOCUMENTS = 50;
/** Includes lone surrogates, which PostgreSQL can't store. */
const CONTROL = /[\p{Cc}\p{Cs}\uFFFD]/u;
/** Marks of direction, zero-width characters and the like, line separators, and the blank Braille pattern. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u2800]/u;
const PID = { individual: /^\d{11}$/, company: /^\d{10}$/, "no-id": /^.{1,50}$/ };

/** The message for a value that should have been a text. A number may have lost zeros at its start: none is taken as one. */
const textNamed = (what: string) => (issue: { readonly input?: unknown }) =>
  typeof issue.input === "number" ? `${what}, in quotes` : what;

const words = (what: string) =>
  z
    .string({ error: textNamed(what) })
    .transform((text) => text.normalize("NFC").trim())
    .refine((text) => text !== "" && [...text].length <= LONGEST && !CONTROL.test(text), what);

/** Words that a customer reads: one name must not look like another, or turn the text around it. */
const name = (what: string) =>
  words(what).refine((text) => !INVISIBLE.test(text), `${what}, without invisible characters`);

const phone = z
  .string({ error: textNamed("a number such as +48500100001") })
  .transform(readPhone)
  .refine((text) => /^\+[1-9]\d{7,14}$/.test(text), "a number such as +48500100001");

const day = z.iso.date({ error: textNamed("a day such as 2026-11-21") });

const A_PATH = "a path below the folder of the import file";
/** Not normalized: to the file system, names that look the same can differ. */
const path = z
  .string({ error: textNamed(A_PATH) })
  .refine((text) => text !== "" && text.length <= LONGEST_PATH && !CONTROL.test(text), A_PATH);

const namedDocument = {
  name: name(`a name of at most ${LONGEST} characters`),
  kind: z.enum(["policy", "terms", "letter"], "policy, terms or letter"),
  issuedOn: day,
};

/** The error of a union by `withdrawn`: about that field, or about the whole. */
const orWithdrawn = (whole: string) => (issue: { readonly code?: string | undefined }) =>
  issue.code === "invalid_union" ? "true, or no such field" : whole;

const A_DOCUMENT = "name, kind, issuedOn, file and nothing else";
const document = withoutEmpty(
  ["withdrawn", "file"],
  z.discriminatedUnion(
    "withdrawn",
    [
      z.strictObject({ ...namedDocument, withdrawn: z.literal(false).optional(), file: path }, A_DOCUMENT),
      z.strictObject({ ...namedDocument, withdrawn: z.literal(true), file: path.optional() }, A_DOCUMENT),
    ],
    { error: orWithdrawn(A_DOCUMENT) },
  ),
);

const policyNo = words("a policy number")
  .transform(readPolicyNo)
  .refine(({ compared }) => compared !== "", "a policy number");

const A_POLICY = "policyNo, name, validFrom, validTo, product, premium, documents and nothing else";
const shownPolicy = z
  .strictObject(
    {
      withdrawn: z.literal(false).optional(),
      policyNo,
      name: name("what is insured"),
      validFrom: day,
      validTo: day,
      product: z.enum(PRODUCTS, `one of ${PRODUCTS.join(", ")}`).optional(),
      // A fault in it must not refuse the line.
      premium: z.unknown().optional(),
      documents: z
        .array(document, "a list of documents")
        .max(MOST_DOCUMENTS, `at most ${MOST_DOCUMENTS} documents`)
        .default([]),
    },
    A_POLICY,
  )
  .refine(({ validFrom, validTo }) => validFrom <= validTo, {
    path: ["validTo"],
    error: "a day no earlier than validFrom",
  })
  .refine(({ documents }) => new Set(documents.map(nameOfDocument)).size === documents.length, {
    path: ["documents"],
    error: "each document once: two have the same kind, name and issuedOn",
  });

/** The other fields may be there, and don't matter. */
const withdrawnPolicy = z
  .strictObject(
    {
      withdrawn: z.literal(true),
      policyNo,
      name: z.unknown().optional(),
      validFrom: z.unknown().optional(),
      validTo: z.unknown().optional(),
      product: z.unknown().optional(),
      documents: z.unknown().optional(),
      premium: z.unknown().optional(),
    },
    A_POLICY,
  )
  .transform((listed) => ({ withdrawn: true as const, policyNo: listed.policyNo, documents: [] }));

const policy = withoutEmpty(
  ["withdrawn", "product", "documents"],
  z.discriminatedUnion("withdrawn", [shownPolicy, withdrawnPolicy], { error: orWithdrawn(A_POLICY) }),
);

const OPTIONAL = ["representative", "email"];
const person = z
  .strictObject(
    {
      kind: z.enum(["individual", "no-id", "company"], "individual, no-id or company"),
      name: name(`a name of at most ${LONGEST} characters`),
      representative: name("the name of the person who acts for the company").optional(),
      phone,
      email: z.unknown().optional(),
      pid: words("an identifier").transform(readPid),
      policies: z
        .array(policy, "a list of policies")
        .min(1, "at least one policy")
        .max(MOST_POLICIES, `at most ${MOST_POLICIES} policies`),
    },
    "kind, name, representative, phone, email, pid, policies and nothing else",
  )
  .transform((line) => ({ ...line, pid: storedPid(line.kind, line.pid) }))
  .refine(({ kind, pid }) => PID[kind].test(pid) && isNumber(pid), {
    path: ["pid"],
    error:
      "11 digits (PESEL) for an individual, 10 (NIP) for a company, at most 50 characters for a person without a PESEL",
  })
  .refine(({ kind, representative }) => kind === "company" || representative === undefined, {
    path: ["representative"],
    error: "only for a company",
  })
  .refine(
    ({ policies }) => new Set(policies.map(({ policyNo }) => policyNo.compared)).size === policies.length,
    {
      path: ["policies"],
      error: "each policy number once",
    },
  );
const personLine = withoutEmpty(OPTIONAL, person);

/** The spelling that is stored. A PESEL and a NIP are digits; the number of an identity document keeps its separators. */
function storedPid(kind: ImportedHolder["kind"], { read, compared }: ReadNumber): string {
  return kind === "no-id" ? read : compared;
}

/** Parses and checks a line of JSON. Doesn't look at document files yet. */
export function readPolicyholder(line: string): LineReading {
  const json = parse(line);
  if (json === undefined) return { ok: false, problem: "not JSON" };
  const repeated = repeatedKey(line);
  if (repeated !== undefined) return { ok: false, problem: `${fieldNamed(repeated)} is given twice` };
  const read = personLine.safeParse(json.value);
  if (!read.success) return { ok: false, problem: problemsOf(read.error.issues) };
  const email = readEmail(read.data.email);
  const premiums = readPremiums(read.data.policies);
  const holder = { ...read.data, email: email.value, policies: premiums.value };
  return { ok: true, holder, warnings: [...email.warnings, ...premiums.warnings] };
}

/** What is left of something that a line lists, and a warning for what was left out. */
interface Left<Value> {
  readonly value: Value;
  readonly warnings: readonly Warning[];
}

function readEmail(listed: unknown): Left<string | undefined> {
  const value = typeof listed === "string" ? sendableEmail(listed) : undefined;
  const isLeftOut = listed !== undefined && value === undefined;
  return { value, warnings: isLeftOut ? [{ kind: "emailLeftOut", where: "email" }] : [] };
}

type ReadPolicy = z.infer<typeof policy>;

/** Reads the premiums. A faulty premium counts as not listed. */
function readPremiums(policies: readonly ReadPolicy[]): Left<ImportedHolder["policies"]> {
  const warnings: Warning[] = [];
  const value = policies.map((listed, nth) => {
    if (listed.withdrawn) return listed;
    const { premium, ...rest } = listed;
    if (premium === undefined || premium === null) return { ...rest, premium };
    const read = readPremium(premium);
    if (read.ok) return { ...rest, premium: read.value };
    warnings.push({ kind: "premiumLeftOut", where: `policies.${nth}.premium`, faults: read.problem });
    return rest;
  });
  return { value, warnings };
}

function parse(line: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return undefined;
  }
}

function nameOfDocument({ kind, name, issuedOn }: NamedDocument): string {
  return JSON.stringify([kind, name, issuedOn]);
}

const LONGEST_EMAIL = 254;
const LONGEST_LOCAL_PART = 64;
/** A dot-atom of RFC 5322. Quoted local parts are left out: hardly any mail server takes them. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const LABEL = "[a-z\\d]([a-z\\d-]{0,61}[a-z\\d])?";
/** At least two labels, the last of which isn't a number, so that it is no IP address. */
const DOMAIN = new RegExp(`^(${LABEL}\\.)+(?!\\d+$)${LABEL}$`, "i");
const ASCII = /^[\0-\x7F]*$/;

/**
 * The address in the form in which an e-mail is sent to it: an internationalized domain as punycode. Undefined if none
 * can be sent, as with letters beyond ASCII before the @, which need servers with SMTPUTF8.
 */
function sendableEmail(text: string): string | undefined {
  const address = text.trim();
  const at = address.lastIndexOf("@");
  const [localPart, typed] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  // An ASCII domain keeps its capitals: a stored address must not change by itself.
  const domain = ASCII.test(typed) ? typed : domainToASCII(typed);
  const email = `${localPart}@${domain}`;
  const isSendable =
    LOCAL_PART.test(localPart) &&
    localPart.length <= LONGEST_LOCAL_PART &&
    DOMAIN.test(domain) &&
    email.length <= LONGEST_EMAIL;
  return isSendable ? email : undefined;
}

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
    amount: sourcePremium.shape.amount,
    currency: sourcePremium.shape.currency,
    dueOn: nearDay,
    paidUntil: nearDay,
    account: z.string().transform(asIban).pipe(sourcePremium.shape.account.unwrap()).nullable().default(null),
    title: z
      .string()
      .transform((text) => text.normalize("NFC").trim())
      .pipe(sourcePremium.shape.title.unwrap())
      .nullable()
      .default(null),
  }),
);

const A_DAY = "a day such as 2026-12-10, in quotes";
const EXPECTED: Readonly<Record<keyof SourcePremium, string>> = {
  amount: 'an amount from "0.01" to "9999999.99", in quotes, with two decimal places',
  currency: CURRENCIES.join(" or "),
  dueOn: A_DAY,
  paidUntil: A_DAY,
  account: "an IBAN, or the 26 digits of a Polish account, with the right check digits",
  title: `one line of at most ${LONGEST_TITLE} characters`,
};

const A_PREMIUM = `${Object.keys(EXPECTED).join(", ")} and nothing else`;

/** Reads the premium of a policy. A problem names each wrong field, and quotes nothing. */
function readPremium(listed: unknown): Found<SourcePremium> {
  const read = listedPremium.safeParse(listed, { error: ({ path: [field] = [] }) => expected(field) });
  return read.success
    ? { ok: true, value: read.data }
    : { ok: false, problem: problemsOf(read.error.issues) };
}

function expected(field: PropertyKey | undefined): string {
  const known = Object.entries(EXPECTED).find(([name]) => name === field);
  return known ? known[1] : A_PREMIUM;
}
