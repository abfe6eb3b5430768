import { figures, type Translate } from "~/i18n/texts.server";
import { brand } from "~/platform/config/brand.server";
import type { ClaimWords } from "./claim-section";

/** The id of the part of a page with advice after damage. Addresses name it. */
const CLAIM_PART = "szkoda";

/** Advice after damage, and whom to call. With a policy number, it also says to have that number at hand. */
export function claimWords(t: Translate, policyNo?: string): ClaimWords {
  const { url, phone, assistance = phone } = brand().claims;
  return {
    id: CLAIM_PART,
    header: t("cp:claim.header"),
    button:
      url === undefined
        ? { text: t("cp:claim.dial", { phone: assistance }), phone: assistance }
        : { text: t("cp:claim.online"), href: url },
    calls: callsOf(t),
    steps: [t("cp:claim.safety"), t("cp:claim.prevent"), t("cp:claim.record")],
    emergency: figures().emergency,
    prepare: policyNo === undefined ? undefined : { text: t("cp:claim.prepare"), policyNo },
  };
}

/** The target of a card's button: the form for claims, or the page that says what to do and whom to call. */
export function claimAddress(policyPage: string | undefined): string {
  return brand().claims.url ?? `${policyPage ?? "/cp/contact"}#${CLAIM_PART}`;
}

/** Whom to call: the 24-hour number and the number for claims, if they exist; otherwise the helpline. */
function callsOf(t: Translate): readonly string[] {
  const { claims, phones } = brand();
  const { phone, hours, assistance } = claims;
  const calls = assistance === undefined ? [] : [t("cp:claim.always", { phone: assistance })];
  if (!phones.includes(phone))
    calls.push(hours ? t("cp:claim.callHours", { phone, ...hours }) : t("cp:claim.call", { phone }));
  return calls.length > 0 ? calls : [t("cp:claim.helpline")];
}
