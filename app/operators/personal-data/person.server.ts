import { sql } from "kysely";
import { usernameKey } from "~/contract/rules";
import { type Keyring, open, steadyIndex } from "~/backend/secrets/keyring.server";
import { recipientOf, unknownSubject } from "~/backend/services/accounts/customers.server";
import { usernameSubject } from "~/backend/services/counting.server";
import type { Reader } from "~/backend/store/store.server";
import { claimableDetails } from "../support/customer-caps.server";
import type { Policyholder } from "../support/account-state.server";

/** A policyholder, and everything it takes to find their rows. */
export interface Person extends Policyholder {
  /** The subjects of their codes and audit events: account, customer, and keyed hashes of their details as typed. */
  readonly subjects: readonly string[];
  /** The key of every count of tries or requests about the person contains one of these. */
  readonly countedBy: readonly string[];
  /** The messages to their number, in the queue and in the demo's outbox. */
  readonly messages: Readonly<Record<MessageTable, readonly string[]>>;
}

type MessageTable = "sms_queue" | "outbox";

/** Finds what belongs to a customer, including data from before they had an account. */
export async function findPerson(
  reader: Reader,
  keyring: Keyring,
  { customerId, accountId }: Policyholder,
): Promise<Person> {
  const { phone } = await recipientOf(reader, keyring, customerId);
  const account = accountId === undefined ? undefined : await accountOf(reader, accountId);
  const typed = await claimableDetails(reader, { keyring }, { customerId, accountId });
  const ids = [customerId, ...(accountId === undefined ? [] : [accountId])];
  return {
    customerId,
    accountId,
    subjects: [
      ...ids,
      ...typed.map(unknownSubject),
      ...(account ? [usernameSubject({ keyring }, account.username)] : []),
    ],
    countedBy: [
      ...ids,
      ...typed,
      steadyIndex(keyring, "phone", phone),
      ...(account
        ? [steadyIndex(keyring, "username", usernameKey(account.username)), ...account.devices]
        : []),
    ],
    messages: {
      sms_queue: await messagesTo(reader, keyring, "sms_queue", phone),
      outbox: await messagesTo(reader, keyring, "outbox", phone),
    },
  };
}

async function accountOf(reader: Reader, accountId: string) {
  const { username } = await reader
    .selectFrom("accounts")
    .select("username")
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
  const devices = await reader
    .selectFrom("trusted_devices")
    .select("id")
    .where("account_id", "=", accountId)
    .execute();
  return { username, devices: devices.map(({ id }) => id) };
}

/** Decrypts all numbers, because each is encrypted differently. The tables hold a day's messages at most. */
async function messagesTo(
  reader: Reader,
  keyring: Keyring,
  table: MessageTable,
  phone: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; recipient_sealed: string }>`
    select id, recipient_sealed from ${sql.table(table)} where recipient_sealed <> ''`.execute(reader);
  return rows
    .filter(({ id, recipient_sealed }) => numberOf(keyring, table, id, recipient_sealed) === phone)
    .map(({ id }) => id);
}

/** Undefined if the key is gone: then nobody can tell whose message it is. */
function numberOf(keyring: Keyring, table: MessageTable, row: string, sealed: string): string | undefined {
  try {
    return open(keyring, { table, column: "recipient_sealed", row }, sealed);
  } catch {
    return undefined;
  }
}
