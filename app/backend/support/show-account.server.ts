import type { SmsVariables } from "~/platform/config/sms-variables.server";
import type { Dependencies } from "../dependencies.server";
import { gatewaysToAsk } from "../messages/choose-gateway.server";
import type { SupportDependencies } from "./account-state.server";
import type { OnCustomer } from "./acts.server";
import { askProgress } from "./last-messages.server";
import { showCustomer, type ShownOverview } from "./show-customer.server";

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
