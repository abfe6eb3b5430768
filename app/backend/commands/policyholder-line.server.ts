import { z } from "zod";
import { readPid, readPolicyNo } from "~/contract/identifiers";
import type { Policy } from "../services/accounts/customers.server";
import type { Customer } from "../services/accounts/write-customer.server";

/** A policyholder from the file, with policies. */
export interface Policyholder extends Customer {
  readonly policies: readonly Policy[];
}

/** What a line says, or what is wrong with it. A problem quotes nothing from the line: it is personal data. */
export type LineReading =
  | { readonly ok: true; readonly holder: Policyholder }
  | { readonly ok: false; readonly problem: string };

const LONGEST = 200;
/** A line is written in one statement, which takes only so many values. */
const MOST_POLICIES = 5000;
/** Includes lone surrogates, which PostgreSQL can't store. */
const CONTROL = /[\p{Cc}\p{Cs}\uFFFD]/u;
const PID = { individual: /^\d{11}$/, company: /^\d{10}$/, "no-id": /^[^\s].{0,49}$/ };

const words = (what: string) =>
  z
    .string(what)
    .transform((text) => text.normalize("NFC").trim())
    .refine((text) => text !== "" && [...text].length <= LONGEST && !CONTROL.test(text), what);

const phone = z
  .string("a number such as +48500100001")
  .transform((text) => text.replaceAll(" ", ""))
  .refine((text) => /^\+[1-9]\d{7,14}$/.test(text), "a number such as +48500100001");

const day = z.iso.date("a day such as 2026-11-21");

const policy = z
  .strictObject(
    {
      policyNo: words("a policy number").transform(readPolicyNo),
      name: words("what is insured"),
      validFrom: day,
      validTo: day,
    },
    "policyNo, name, validFrom, validTo and nothing else",
  )
  .refine(({ validFrom, validTo }) => validFrom <= validTo, {
    path: ["validTo"],
    error: "a day no earlier than validFrom",
  });

const holder = z
  .strictObject(
    {
      kind: z.enum(["individual", "no-id", "company"], "individual, no-id or company"),
      name: words("a name of at most 200 characters"),
      representative: words("the name of the person who acts for the company").optional(),
      phone,
      pid: words("an identifier").transform(readPid),
      policies: z
        .array(policy, "a list of policies")
        .min(1, "at least one policy")
        .max(MOST_POLICIES, `at most ${MOST_POLICIES} policies`),
    },
    "kind, name, representative, phone, pid, policies and nothing else",
  )
  .refine(({ kind, pid }) => PID[kind].test(pid), {
    path: ["pid"],
    error:
      "11 digits (PESEL) for an individual, 10 (NIP) for a company, at most 50 characters for a person without a PESEL",
  })
  .refine(({ kind, representative }) => kind === "company" || representative === undefined, {
    path: ["representative"],
    error: "only for a company",
  })
  .refine(({ policies }) => new Set(policies.map(({ policyNo }) => policyNo)).size === policies.length, {
    path: ["policies"],
    error: "each policy number once",
  });

/** Parses and checks a line of JSON. */
export function readPolicyholder(line: string): LineReading {
  const read = holder.safeParse(parse(line));
  if (read.success) return { ok: true, holder: read.data };
  const [issue] = read.error.issues;
  const where = issue?.path.join(".");
  return { ok: false, problem: `${where ? `${where}: ` : ""}expected ${issue?.message ?? "a policyholder"}` };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
