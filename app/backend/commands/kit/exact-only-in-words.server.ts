import type { ExactOnly } from "../../services/accounts/compared-forms.server";
import { counted } from "./counted.server";

/** Which rows are found by their exact spelling alone, and why; undefined if none are. */
export function exactOnlyInWords({ unfilled, equal }: ExactOnly): string | undefined {
  const reasons = [
    ["until portal rewrap-keys has run", unfilled],
    ["because they differ only in spaces and hyphens (portal migrate --check lists the policies)", equal],
  ] as const;
  const found = reasons.filter(([, { policyholders, policies }]) => policyholders + policies > 0);
  if (found.length === 0) return undefined;
  const each = found.map(
    ([reason, { policyholders, policies }]) =>
      `${counted(policyholders, "policyholder")} and ${counted(policies, "policy", "policies")} ${reason}`,
  );
  return `found by their exact spelling alone: ${each.join("; ")}`;
}

/** What to say if there are none. */
export const IN_ANY_SPELLING = "every policyholder and policy is found in any spelling";
