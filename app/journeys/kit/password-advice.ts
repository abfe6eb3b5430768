import type { Weakness } from "~/contract/rules/weak-password";
import type { TextKey } from "~/i18n/texts.server";
import { withTimeout } from "~/platform/lifecycle/process.server";
import { brand } from "~/platform/config/brand.server";
import type { Notice } from "~/visit/flow.server";
import type { CustomerInfo, Visit } from "~/visit/visit.server";

/** The customer's details by which the browser judges passwords: only details that the page shows anyway (S87). */
export function shownPersonal(username = "", name = ""): readonly string[] {
  return [brand().name, username, name];
}

/** Why a new password is easy to guess, if it is (S80). `personal`: the customer's details known to the portal. */
export async function findWeakness(
  password: string,
  personal: readonly string[],
): Promise<Weakness | undefined> {
  const { weaknessOf } = await import("~/contract/rules/weak-password");
  return weaknessOf(password, [brand().name, ...personal]);
}

/** How long to wait for a customer's policies (ms). The advice isn't worth a longer wait. */
const POLICIES_MS = 500;

/** Words that a signed-in customer's password should not contain: no policy numbers if the backend is slow. */
export async function personalOf(visit: Visit, { username, name }: CustomerInfo): Promise<readonly string[]> {
  const answer = await withTimeout(POLICIES_MS, visit.backend.call("policies", {}));
  const policies = answer?.kind === "done" ? answer.value.policies : [];
  return [username, name, ...policies.map(({ policyNo }) => policyNo)];
}

/** The notice after a weak password was saved. `saved` says what was saved. */
export function weakPasswordNotice(weakness: Weakness, saved: TextKey = "password:weak.saved"): Notice {
  return { kind: "info", texts: [saved, `password:weak.${weakness}`, "password:weak.change"] };
}

/** The notice after a password was replaced. */
export function passwordChangedNotice(weakness?: Weakness): Notice {
  const changed = "cp:result.password";
  return weakness ? weakPasswordNotice(weakness, changed) : { kind: "success", texts: [changed] };
}

/** The same after "To nie ja": My Data shows what a stranger may have left on the account. */
export function withLookAround(notice: Notice): Notice {
  return { ...notice, texts: [...notice.texts, "cp:notMe.look"], opens: "factors" };
}
