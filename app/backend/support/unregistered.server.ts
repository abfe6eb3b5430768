import type { AuditEventName } from "../audit/audit-event.server";
import { unknownSubject } from "../customers/customers.server";
import { maskedNumber, recipientOf } from "../customers/phones.server";
import { type SmsReach, smsReach } from "../messages/sms-reach.server";
import type { Dependencies } from "../dependencies.server";
import type { Reader } from "../store/store.server";
import { DAY } from "~/platform/time.server";
import type { SupportDependencies } from "./account-state.server";
import { claimableDetails } from "./customer-caps.server";
import { messagesTo, type ShownMessage } from "./last-messages.server";
import { type AccountOverview, ofCustomer, usedUpCaps } from "./overview.server";
import { type ShownEvent, shownEvents } from "./shown-events.server";

/** A customer without an account, as the help desk needs to see them. No identifier or number is whole. */
export interface UnregisteredOverview extends Pick<
  AccountOverview,
  "customerKind" | "phone" | "policies" | "premiums" | "usedUpCaps"
> {
  readonly account: null;
  /** Whether codes reach the number. */
  readonly reach: SmsReach;
  /** How many messages were written since then, by outcome. */
  readonly messageStates: Readonly<Partial<Record<ShownMessage["state"], number>>>;
  readonly messagesSince: Date;
  /** The last ones, the newest first. */
  readonly messages: readonly ShownMessage[];
  /**
   * Events with the right details of the customer, the newest first. A try with another policy number or
   * identifier leads to no customer, so it can't be among them.
   */
  readonly tries: readonly ShownEvent[];
}

/** The events of tries; looks of operators aren't any. */
const TRIES: readonly AuditEventName[] = [
  "code-sent",
  "code-not-sent",
  "code-for-nobody",
  "message-refused",
  "code-right",
  "code-wrong",
  "code-blocked",
];

/** How many of the last messages an overview shows. */
const MESSAGES = 10;

/** The same of a customer without an account. The caller has audited the look. */
export async function readUnregistered(
  reader: Reader,
  deps: SupportDependencies & Pick<Dependencies, "smsPrefixes">,
  customerId: string,
  events: number,
): Promise<UnregisteredOverview> {
  const messages = await messagesTo(reader, customerId);
  const { phone } = await recipientOf(reader, deps, customerId);
  return {
    account: null,
    phone: maskedNumber(phone),
    ...(await ofCustomer(reader, deps, customerId)),
    reach: smsReach(phone, deps.smsPrefixes),
    usedUpCaps: await usedUpCaps(reader, deps, { customerId, accountId: undefined }),
    messageStates: countedStates(messages),
    messagesSince: new Date(deps.clock() - deps.limits.MESSAGE_DAYS * DAY),
    messages: messages.slice(0, MESSAGES),
    tries: await lastTries(reader, deps, customerId, events),
  };
}

function countedStates(messages: readonly ShownMessage[]): UnregisteredOverview["messageStates"] {
  const counts: Partial<Record<ShownMessage["state"], number>> = {};
  for (const { state } of messages) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** Until an import brings the customer, or while there is no account, tries are kept under a hash of what was typed. */
async function lastTries(
  reader: Reader,
  deps: SupportDependencies,
  customerId: string,
  most: number,
): Promise<readonly ShownEvent[]> {
  const typed = await claimableDetails(reader, deps, { customerId, accountId: undefined });
  return shownEvents(reader, { subjects: [customerId, ...typed.map(unknownSubject)], events: TRIES }, most);
}
