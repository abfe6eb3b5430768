import type { SmsVariables } from "~/platform/config/sms-variables.server";
import { lockCustomer, lockState } from "../customers/customers.server";
import type { Dependencies } from "../dependencies.server";
import { gatewaysToAsk } from "../messages/choose-gateway.server";
import { subjectOf, type SupportDependencies } from "./account-state.server";
import type { OnCustomer } from "./acts.server";
import { auditLook } from "./audit-look.server";
import { askProgress } from "./last-messages.server";
import { type AccountOverview, readOverview } from "./overview.server";
import { EVENTS } from "./shown-events.server";
import { readUnregistered, type UnregisteredOverview } from "./unregistered.server";

/** The overview of a customer for the help desk's page and `account show`. */
export type ShownOverview = AccountOverview | UnregisteredOverview;

/** How many of the last events are shown, and for how long (ms) a repeat is not audited again. */
interface Showing {
  readonly events?: number;
  readonly lasts?: number;
}

/** Shows a customer to the insurer's staff. This, too, is audited. */
export function showCustomer(
  deps: SupportDependencies & Pick<Dependencies, "smsPrefixes">,
  { source, ...customer }: OnCustomer,
  { events = EVENTS, lasts }: Showing = {},
): Promise<ShownOverview> {
  const { customerId, accountId } = customer;
  return deps.store.write(async (tx) => {
    const locked =
      accountId === undefined ? await lockCustomer(tx, customerId) : await lockState(tx, accountId);
    if (!locked) throw new Error("the customer no longer exists");
    const shown =
      typeof locked === "object"
        ? await readOverview(tx, deps, locked, events)
        : await readUnregistered(tx, deps, customerId, events);
    await auditLook(tx, deps, {
      source,
      events: [{ event: "account-shown", ...subjectOf(customer) }],
      lasts,
    });
    return shown;
  });
}

/**
 * Shows a customer to the insurer's staff, and asks the gateways for the progress of the last messages. The audit
 * records the look. A gateway that can't be asked leaves its messages as they are.
 */
export async function showAccount(
  deps: SupportDependencies & Pick<Dependencies, "smsPrefixes">,
  gateways: SmsVariables,
  customer: OnCustomer,
): Promise<ShownOverview> {
  const shown = await showCustomer(deps, customer);
  const { first, fallback } = gatewaysToAsk(gateways, deps.limits);
  return { ...shown, messages: await askProgress(shown.messages, [first, fallback]) };
}
