import { WITHOUT_END } from "~/contract/customer-area.server";
import type { Brand } from "~/platform/config/brand.server";
import { isoDayInPoland } from "~/platform/time.server";
import { textsIn } from "./texts.server";
import { dayInPoland } from "./times.server";

/** The facts in a confirmation of cover; days as `YYYY-MM-DD`. */
interface Facts {
  readonly policyNo: string;
  readonly name: string;
  readonly insured: string;
  readonly validFrom: string;
  readonly validTo: string;
}

/** The texts of a confirmation of cover, in Polish, for the backend. */
export function confirmationTexts({
  name: brand,
  colour,
  claims,
}: Pick<Brand, "name" | "colour"> & {
  readonly claims: Pick<Brand["claims"], "phone" | "url" | "assistance">;
}) {
  const t = textsIn();
  return {
    name: t("confirmation:name"),
    dayOf: isoDayInPoland,
    sheet: (facts: Facts, now: number) => ({
      language: t.language,
      title: t("confirmation:title"),
      brand: { name: brand, colour },
      facts: [
        { term: t("confirmation:policyNo"), value: facts.policyNo },
        { term: t("confirmation:subject"), value: facts.name },
        { term: t("confirmation:insured"), value: facts.insured },
        {
          term: t("confirmation:period"),
          value: t(facts.validTo === WITHOUT_END ? "confirmation:endless" : "confirmation:from", {
            from: dayInPoland(t, facts.validFrom),
            to: dayInPoland(t, facts.validTo),
          }),
        },
        { term: t("confirmation:issuedOn"), value: dayInPoland(t, isoDayInPoland(now)) },
      ],
      sections: [
        { header: t("confirmation:coverHeader"), paragraphs: [t("confirmation:cover", { brand })] },
        {
          header: t("confirmation:claimHeader"),
          paragraphs: [
            t("confirmation:claimSafety"),
            t("confirmation:claimRecord"),
            t("confirmation:claimCall", { phone: claims.phone }),
            ...(claims.assistance === undefined
              ? []
              : [t("confirmation:claimAlways", { phone: claims.assistance })]),
            ...(claims.url === undefined ? [] : [t("confirmation:claimOnline", { address: claims.url })]),
          ],
        },
      ],
      footer: t("confirmation:footer"),
    }),
  };
}
