import type { Dependencies } from "../dependencies.server";
import { type Keyring, seal } from "../secrets/keyring.server";
import type { Reader, Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import { found, DECOY_ID, openColumn, sealColumn } from "./customers.server";
import { findIndex } from "./find-indexes.server";

/** A policyholder, and the phone number on their policies. Codes go to no other number. */
export interface Recipient {
  readonly customerId: string;
  readonly phone: string;
}

/**
 * Where to send a customer's codes; undefined without a customer. Then we decrypt a decoy number, so that the response
 * time reveals nothing (S108).
 */
export async function recipientIfAny(
  reader: Reader,
  deps: RecipientDependencies,
  customerId: string | undefined,
): Promise<Recipient | undefined> {
  if (customerId !== undefined) return recipientOf(reader, deps, customerId);
  await phonesOf(reader, DECOY_ID);
  openColumn(deps.keyring, DECOY_ID, "phone_sealed", sealedDecoyNumber(deps.keyring));
  return undefined;
}

type RecipientDependencies = Pick<Dependencies, "keyring" | "clock">;

function phonesOf(reader: Reader, customerId: string) {
  return reader
    .selectFrom("customers")
    .select(["id", "phone_sealed", "new_phone_sealed", "new_phone_from"])
    .where("id", "=", customerId)
    .executeTakeFirst();
}

const sealedDecoys = new WeakMap<Keyring, string>();

/** The decoy number, sealed once per keyring: sealing it each time would take longer than a real look-up. */
function sealedDecoyNumber(keyring: Keyring): string {
  const known = sealedDecoys.get(keyring);
  if (known !== undefined) return known;
  const sealed = seal(keyring, { table: "customers", column: "phone_sealed", row: DECOY_ID }, "+48000000000");
  sealedDecoys.set(keyring, sealed);
  return sealed;
}

/** Where to send a customer's codes. */
export async function recipientOf(
  reader: Reader,
  deps: RecipientDependencies,
  customerId: string,
): Promise<Recipient> {
  return { customerId, phone: phoneInUse(deps, found(await phonesOf(reader, customerId))) };
}

type PhoneRow = NonNullable<Awaited<ReturnType<typeof phonesOf>>>;

function phoneInUse({ keyring, clock }: RecipientDependencies, row: PhoneRow): string {
  const column = isNewPhoneInUse(row, clock()) ? "new_phone_sealed" : "phone_sealed";
  return openColumn(keyring, row.id, column, row[column] ?? row.phone_sealed);
}

/** The number in use, and a new number that waits to replace it, if any (`from`: ms since 1970). */
export async function phonesToShow(
  reader: Reader,
  deps: RecipientDependencies,
  customerId: string,
): Promise<{ readonly phone: string; readonly waiting?: { readonly phone: string; readonly from: number } }> {
  const row = found(await phonesOf(reader, customerId));
  const phone = phoneInUse(deps, row);
  const { new_phone_sealed: sealed, new_phone_from: from } = row;
  if (sealed === null || from === null || isNewPhoneInUse(row, deps.clock())) return { phone };
  return { phone, waiting: { phone: openColumn(deps.keyring, row.id, "new_phone_sealed", sealed), from } };
}

/** All numbers of a customer: the number in use, and a former or future number. */
export async function everyPhone(
  reader: Reader,
  keyring: Keyring,
  customerId: string,
): Promise<readonly string[]> {
  const row = found(await phonesOf(reader, customerId));
  return (["phone_sealed", "new_phone_sealed"] as const).flatMap((column) => {
    const sealed = row[column];
    return sealed === null ? [] : openColumn(keyring, customerId, column, sealed);
  });
}

/** Whether messages go to the newer of a customer's two numbers. */
function isNewPhoneInUse(
  { new_phone_from }: Pick<Tables["customers"], "new_phone_from">,
  now: number,
): boolean {
  return new_phone_from !== null && now >= new_phone_from;
}

/** How many of a number's last digits an answer may show. */
const SHOWN_DIGITS = 3;

/** A phone number as an answer may show it (S6). */
export function maskedNumber(phone: string): string {
  return `••• ••• ${phone.slice(-SHOWN_DIGITS)}`;
}

/*
 * A registered customer's new number is not used at once: an attacker who changes it in the insurer's systems
 * could otherwise get the customer's codes. The old number gets a notice, and stays in use for a day.
 */

type PhoneColumns = Pick<Tables["customers"], "phone_sealed" | "new_phone_sealed" | "new_phone_from">;

/** The phone numbers that a known policyholder has after an import. */
export interface PhonePlan extends PhoneColumns {
  /** Whether the number changes, now or later. */
  readonly isChanged: boolean;
  /** Whether a new number has begun to wait, so that the old one must get a notice. */
  readonly isDelayed: boolean;
}

/** A phone number in an import. */
interface ImportedPhone {
  readonly phone: string;
  readonly now: number;
  /** When a new number comes into use (ms); `now` if the customer has no account or the number was verified. */
  readonly from: number;
}

/**
 * Plans a policyholder's numbers. A new number waits until `from`. Listing it again doesn't prolong the wait, a third
 * number starts a wait of its own, and listing the old number again ends the wait.
 */
export function planPhone(
  keyring: Keyring,
  row: Tables["customers"],
  { phone, now, from }: ImportedPhone,
): PhonePlan {
  const { used, waiting } = numbersOf(keyring, row, now);
  const sealedInUse = used.isNew ? sealColumn(keyring, row.id, "phone_sealed", used.phone) : row.phone_sealed;
  const noNewPhone = { new_phone_sealed: null, new_phone_from: null };
  if (phone === used.phone)
    return { phone_sealed: sealedInUse, ...noNewPhone, isChanged: waiting !== undefined, isDelayed: false };
  if (from <= now)
    return {
      phone_sealed: sealColumn(keyring, row.id, "phone_sealed", phone),
      ...noNewPhone,
      isChanged: true,
      isDelayed: false,
    };
  const { new_phone_sealed, new_phone_from } = row;
  if (phone === waiting)
    return {
      phone_sealed: sealedInUse,
      new_phone_sealed,
      new_phone_from,
      isChanged: false,
      isDelayed: false,
    };
  const sealed = sealColumn(keyring, row.id, "new_phone_sealed", phone);
  return {
    phone_sealed: sealedInUse,
    new_phone_sealed: sealed,
    new_phone_from: from,
    isChanged: true,
    isDelayed: true,
  };
}

/** The number in use, and the number that waits to replace it, if any. */
function numbersOf(keyring: Keyring, row: Tables["customers"], now: number) {
  const open = (column: "phone_sealed" | "new_phone_sealed", sealed: string) =>
    openColumn(keyring, row.id, column, sealed);
  const old = open("phone_sealed", row.phone_sealed);
  if (row.new_phone_sealed === null) return { used: { phone: old, isNew: false }, waiting: undefined };
  const newer = open("new_phone_sealed", row.new_phone_sealed);
  return isNewPhoneInUse(row, now)
    ? { used: { phone: newer, isNew: true }, waiting: undefined }
    : { used: { phone: old, isNew: false }, waiting: newer };
}

/** Writes a plan, for a policyholder whose row is locked. */
export async function putPhone(tx: Tx, keyring: Keyring, customerId: string, plan: PhonePlan): Promise<void> {
  const { phone_sealed, new_phone_sealed, new_phone_from } = plan;
  const indexes = {
    phone_index: findIndexOf(keyring, customerId, "phone_sealed", phone_sealed),
    new_phone_index:
      new_phone_sealed === null
        ? null
        : findIndexOf(keyring, customerId, "new_phone_sealed", new_phone_sealed),
  };
  await tx
    .updateTable("customers")
    .set({ phone_sealed, new_phone_sealed, new_phone_from, ...indexes })
    .where("id", "=", customerId)
    .execute();
}

function findIndexOf(
  keyring: Keyring,
  customerId: string,
  column: "phone_sealed" | "new_phone_sealed",
  sealed: string,
): string {
  return findIndex(keyring, "phone", openColumn(keyring, customerId, column, sealed));
}
