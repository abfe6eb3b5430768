import type { CallResponse } from "~/contract/calls.server";
import type { Product } from "~/contract/customer-area.server";
import type { Caller } from "../../caller.server";
import { done, type Outcome } from "../../outcome.server";
import type { Dependencies } from "../../dependencies.server";
import type { Keyring } from "../../secrets/keyring.server";
import { open, seal } from "../../secrets/sealing.server";
import type { Reader } from "../../store/store.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import { NOBODY } from "./look-up.server";

/** A policy as other systems know it; days as `YYYY-MM-DD`. */
export interface Policy {
  readonly policyNo: string;
  readonly name: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly product: Product;
}

/** A policyholder, and the phone number on their policies. Codes go nowhere else. */
export interface Recipient {
  readonly customerId: string;
  readonly phone: string;
}

/**
 * Where to send a customer's codes; undefined without a customer. A made-up number is decrypted then, so that the
 * answer takes as long (S108).
 */
export async function recipientIfAny(
  reader: Reader,
  keyring: Keyring,
  customerId: string | undefined,
): Promise<Recipient | undefined> {
  if (customerId !== undefined) return recipientOf(reader, keyring, customerId);
  await phoneOf(reader, NOBODY);
  openColumn(keyring, NOBODY, "phone_sealed", sealedNumberOfNobody(keyring));
  return undefined;
}

function phoneOf(reader: Reader, customerId: string) {
  return reader
    .selectFrom("customers")
    .select("phone_sealed")
    .where("id", "=", customerId)
    .executeTakeFirst();
}

const sealedNumbers = new WeakMap<Keyring, string>();

/** Sealed once per keyring, because a real look-up seals nothing. */
function sealedNumberOfNobody(keyring: Keyring): string {
  const known = sealedNumbers.get(keyring);
  if (known !== undefined) return known;
  const sealed = seal(keyring, { table: "customers", column: "phone_sealed", row: NOBODY }, "+48000000000");
  sealedNumbers.set(keyring, sealed);
  return sealed;
}

/** Where to send a customer's codes. */
export async function recipientOf(reader: Reader, keyring: Keyring, customerId: string): Promise<Recipient> {
  const { phone_sealed } = found(await phoneOf(reader, customerId));
  return { customerId, phone: openColumn(keyring, customerId, "phone_sealed", phone_sealed) };
}

/** How many of a number's last digits an answer may show. */
const SHOWN_DIGITS = 3;

/** A phone number as an answer may show it (S6). */
export function maskedNumber(phone: string): string {
  return `••• ••• ${phone.slice(-SHOWN_DIGITS)}`;
}

/** The name the portal greets: the customer's, or that of a company's representative. */
export async function nameOf(reader: Reader, keyring: Keyring, customerId: string): Promise<string> {
  const { name_sealed, representative_sealed } = await namesOf(reader, customerId);
  return representative_sealed === null
    ? openColumn(keyring, customerId, "name_sealed", name_sealed)
    : openColumn(keyring, customerId, "representative_sealed", representative_sealed);
}

/** Who is insured: the person or the company. */
export async function insuredName(reader: Reader, keyring: Keyring, customerId: string): Promise<string> {
  const { name_sealed } = await namesOf(reader, customerId);
  return openColumn(keyring, customerId, "name_sealed", name_sealed);
}

async function namesOf(reader: Reader, customerId: string) {
  const names = await reader
    .selectFrom("customers")
    .select(["name_sealed", "representative_sealed"])
    .where("id", "=", customerId)
    .executeTakeFirst();
  return found(names);
}

/** The customer's policies, ordered by number. */
export async function policies(
  { store }: Dependencies,
  _caller: Caller,
  _payload: unknown,
  { customerId }: ActiveSession,
): Promise<Outcome<CallResponse<"policies">>> {
  const rows = await store.read
    .selectFrom("policies")
    .select(["policy_no as policyNo", "name", "valid_from as validFrom", "valid_to as validTo"])
    .select(["id", "product"])
    .where("customer_id", "=", customerId)
    .orderBy("policy_no")
    .execute();
  return done({ policies: rows });
}

/** A customer and their account are always deleted together, so the row is there. */
function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error("an account's customer is missing");
  return row;
}

/** The encrypted columns of a customer. */
export type SealedColumn =
  | "name_sealed"
  | "representative_sealed"
  | "phone_sealed"
  | "pid_sealed"
  | "email_sealed";

/** Decrypts a column of a customer. @throws Error if the value was changed or moved */
export function openColumn(
  keyring: Keyring,
  customerId: string,
  column: SealedColumn,
  sealed: string,
): string {
  return open(keyring, { table: "customers", column, row: customerId }, sealed);
}
