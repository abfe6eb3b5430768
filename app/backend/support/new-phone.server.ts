import { lastEvents } from "../audit/find-events.server";
import { maskedNumber, phonesToShow } from "../customers/phones.server";
import type { Reader } from "../store/store.server";
import type { SupportDependencies } from "./account-state.server";

/** A new phone number that isn't used yet, and the import that brought it. */
export interface WaitingPhone {
  readonly phone: string;
  readonly from: Date;
  /** Undefined if the audit doesn't know: its months go to files. */
  readonly import:
    | { readonly at: Date; readonly operator: string | undefined; readonly requestId: string }
    | undefined;
}

/** A customer's phone numbers as the help desk may see them. */
export interface ShownPhones {
  readonly phone: string;
  readonly newPhone: WaitingPhone | undefined;
}

/** How many of the customer's last changes are searched for the change of the number. */
const CHANGES = 50;

/** Reads the number in use, and the number that waits. */
export async function shownPhones(
  reader: Reader,
  deps: SupportDependencies,
  { customerId, accountId }: { readonly customerId: string; readonly accountId: string | undefined },
): Promise<ShownPhones> {
  const { phone, waiting } = await phonesToShow(reader, deps, customerId);
  return {
    phone: maskedNumber(phone),
    newPhone: waiting && {
      phone: maskedNumber(waiting.phone),
      from: new Date(waiting.from),
      import: accountId === undefined ? undefined : await importOf(reader, accountId),
    },
  };
}

/** The last import that changed the account's number. An import that lists a waiting number again changes nothing. */
async function importOf(reader: Reader, accountId: string): Promise<WaitingPhone["import"]> {
  const changes = await lastEvents(reader, { accountId, events: ["details-changed"] }, CHANGES);
  const change = changes.findLast(({ reason }) => reason?.split(", ").includes("phone"));
  return (
    change && {
      at: new Date(change.happened_at),
      operator: change.operator ?? undefined,
      requestId: change.request_id,
    }
  );
}
