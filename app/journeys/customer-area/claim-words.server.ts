import type { Translate } from "~/i18n/texts.server";
import { brand } from "~/platform/config/brand.server";
import type { ClaimWords } from "./claim-section";

/**
 * Where to report a claim: the insurer's page for claims, if there is one, and a number (the helpline's unless there is
 * another). With a policy number, also what to have at hand.
 */
export function claimWords(t: Translate, policyNo?: string): ClaimWords {
  const { claims } = brand();
  return {
    header: t("cp:claim.header"),
    prepare: policyNo === undefined ? undefined : { text: t("cp:claim.prepare"), policyNo },
    online: claims.url === undefined ? undefined : { href: claims.url, text: t("cp:claim.online") },
    call: hasOwnPhone() ? t("cp:claim.call", { phone: claims.phone }) : t("cp:claim.helpline"),
  };
}

/** Whether there is another way to report a claim than calling the helpline. */
export function hasOwnClaims(): boolean {
  return hasOwnPhone() || brand().claims.url !== undefined;
}

function hasOwnPhone(): boolean {
  const { claims, phones } = brand();
  return !phones.includes(claims.phone);
}
