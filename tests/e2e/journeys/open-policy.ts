import type { DemoCustomer } from "../../demo-customers";
import type { JourneyVisitor } from "../journey-visitor";

/** Opens the page of a new customer's only policy from My Policies. */
export async function openPolicy(visitor: JourneyVisitor, { policyNo }: DemoCustomer): Promise<void> {
  await visitor.open("/cp");
  // The card's first link is the policy's name.
  await visitor.follow(/./, { item: policyNo });
  await visitor.lands(/^\/cp\/policy\/[^/]+$/);
}
