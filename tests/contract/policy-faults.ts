import { z } from "zod";
import type { CallResponse } from "~/contract/calls.server";
import { premium, sourcePremium } from "~/contract/premium.server";
import type { KnownPolicy } from "../demo-customers";

/** A policy as the list tells it. */
export type ListedPolicy = CallResponse<"policies">["policies"][number];
/** A policy as its page tells it. */
export type PolicyPage = CallResponse<"policy">;

/** A customer and all policies that are theirs. */
export interface Owner {
  /** Their name in a report: the key in the customers file. */
  readonly role: string;
  readonly policies: readonly KnownPolicy[];
}

/** The facts that both the list and the page of a policy tell, besides its number. */
const FACTS = ["name", "validFrom", "validTo", "product"] as const;

/** The faults of a customer's list: policies left out, doubled, another customer's, or with other facts. */
export function listFaults(
  owner: Owner,
  listed: readonly ListedPolicy[],
  everybody: readonly Owner[],
): readonly string[] {
  const numbers = listed.map(({ policyNo }) => policyNo);
  const missing = owner.policies.filter(({ policyNo }) => !numbers.includes(policyNo));
  const foreign = numbers.filter((number) => !has(owner, number));
  return [
    ...missing.map(({ policyNo }) => `${policyNo} is left out of ${owner.role}'s list`),
    ...repeated(numbers).map((number) => `${number} is twice in ${owner.role}'s list`),
    ...foreign.map((number) => `${owner.role}'s list has ${number}, which is ${ownerOf(number, everybody)}`),
    ...repeated(listed.flatMap(({ id }) => id ?? [])).map(
      (id) => `${sharing(listed, id).join(" and ")} have the same id in ${owner.role}'s list`,
    ),
    ...owner.policies.flatMap((known) => listed.flatMap((told) => factFaults("the list", told, known))),
  ];
}

/** The differences between two lists of the same customer. */
export function changeFaults(
  role: string,
  first: readonly ListedPolicy[],
  second: readonly ListedPolicy[],
): readonly string[] {
  const order = (list: readonly ListedPolicy[]) => list.map(({ policyNo }) => policyNo).join(", ");
  if (order(first) !== order(second))
    return [`${role}'s list was ${order(first)}, and at the next call ${order(second)}`];
  return first.flatMap(({ policyNo, id }, nth) =>
    id === second[nth]?.id ? [] : [`${policyNo} has another id at the next call`],
  );
}

/** The facts on a policy's page that differ from the list or from the customers file. */
export function pageFaults(
  listed: ListedPolicy,
  page: PolicyPage,
  known: KnownPolicy | undefined,
): readonly string[] {
  const where = `the page of ${listed.policyNo}`;
  if (page.policyNo !== listed.policyNo) return [`${where} is that of ${page.policyNo}`];
  const insured = known?.insured ?? page.insured;
  const names = page.documents.map(({ name }) => name);
  const documents = known?.documents ?? names;
  return [
    ...(page.id === listed.id ? [] : [`${where} has another id than the list`]),
    ...factFaults(where, page, { ...listed, premium: listed.premium ?? null }),
    ...(page.insured === insured ? [] : [`${where} says "${page.insured}" is insured, not "${insured}"`]),
    ...without(documents, names).map((name) => `${where} lacks the document "${name}"`),
    ...without(names, documents).map((name) => `${where} has a document "${name}" that isn't its own`),
  ];
}

/** The documents that are on several pages, or several times on one. */
export function sharedDocumentFaults(pages: readonly PolicyPage[]): readonly string[] {
  const ids = pages.flatMap(({ documents }) => documents.map(({ id }) => id));
  return repeated(ids).map((id) => {
    const sharers = pages.flatMap(({ policyNo, documents }) =>
      documents.filter((document) => document.id === id).map(({ name }) => `"${name}" of ${policyNo}`),
    );
    return `${sharers.join(" and ")} have the same id`;
  });
}

/** The faults of a download's file name: it isn't the document's, or it has the number of one of `others`. */
export function downloadFaults(
  document: string,
  fileName: string,
  others: readonly string[],
): readonly string[] {
  const foreign = others.filter((number) => wordsOf(fileName).includes(wordsOf(number)));
  return [
    ...(wordsOf(fileName).includes(wordsOf(document))
      ? []
      : [`"${document}" is downloaded as "${fileName}", which is not its name`]),
    ...foreign.map(
      (number) => `"${document}" is downloaded as "${fileName}", which is a document of ${number}`,
    ),
  ];
}

/** Whether a policy is this customer's. */
export function has({ policies }: Owner, policyNo: string): boolean {
  return policies.some((policy) => policy.policyNo === policyNo);
}

function factFaults(where: string, told: ListedPolicy, known: KnownPolicy): readonly string[] {
  if (told.policyNo !== known.policyNo) return [];
  const facts = FACTS.filter((fact) => known[fact] !== undefined && known[fact] !== told[fact]).map(
    (fact) => `${where} says ${fact} "${told[fact] ?? ""}" of ${told.policyNo}, not "${known[fact] ?? ""}"`,
  );
  return [...facts, ...premiumFaults(where, told, known)];
}

const OF_PREMIUM = sourcePremium.keyof().options;

function premiumFaults(
  where: string,
  { policyNo, premium: told }: ListedPolicy,
  { premium: known }: KnownPolicy,
): readonly string[] {
  if (known === undefined) return [];
  if (known === null) return told ? [`${where} says a premium of ${policyNo}, which has none`] : [];
  if (!told) return [`${where} says no premium of ${policyNo}`];
  return OF_PREMIUM.filter((field) => known[field] !== undefined && known[field] !== told[field]).map(
    (field) =>
      `${where} says ${field} "${told[field] ?? ""}" of the premium of ${policyNo}, not "${known[field] ?? ""}"`,
  );
}

/** A policy as the backend sends it. The portal leaves out a premium that breaks the contract's rules. */
export const sentPolicy = z.looseObject({ policyNo: z.string(), premium: z.unknown().optional() });

/** The fields of a premium that break the contract's rules, as it was sent. */
export function sentPremiumFaults(where: string, sent: z.infer<typeof sentPolicy>): readonly string[] {
  if (sent.premium === undefined) return [];
  const fields = premium.safeParse(sent.premium).error?.issues.map(({ path: [field] }) => field);
  return [...new Set(fields)].map(
    (field) =>
      `${where} says a premium of ${sent.policyNo} whose ${String(field ?? "form")} breaks the rules`,
  );
}

function ownerOf(policyNo: string, everybody: readonly Owner[]): string {
  const owner = everybody.find((each) => has(each, policyNo));
  return owner ? `${owner.role}'s` : "not in the customers file";
}

function sharing(listed: readonly ListedPolicy[], id: string): readonly string[] {
  return listed.filter((policy) => policy.id === id).map(({ policyNo }) => policyNo);
}

function repeated(values: readonly string[]): readonly string[] {
  return [...new Set(values.filter((value, nth) => values.indexOf(value) !== nth))];
}

function without(values: readonly string[], others: readonly string[]): readonly string[] {
  return values.filter((value) => !others.includes(value));
}

/** A file system may forbid characters that a name has. */
function wordsOf(name: string): string {
  return name.normalize("NFC").replaceAll(/[^\p{L}\p{N}]/gu, "");
}
