import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { momentInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { brand, helplinePhone } from "~/platform/config/brand.server";
import { isoDayInPoland } from "~/platform/time.server";
import { problem } from "~/shell/problem";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/titles";
import { ForScripts } from "~/ui/for-scripts";
import { CustomerPage } from "~/ui/page-layout";
import { PhoneLinks } from "~/ui/phone";
import { FactList, PolicyHeading } from "~/ui/policy-card";
import { BackLink, LinkButton } from "~/ui/text-link";
import { signedIn } from "~/visit/gate.server";
import { loadOrNotFound } from "./load-or-not-found";
import { hasProof, numberFact, periodFact, policyAddress, policyState, stateBadge } from "./policy-facts";

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t } = visit;
  const policy = await loadOrNotFound(visit, "policy", args.params["id"] ?? "");
  if (!hasProof(policy)) throw problem(404);
  return { title: customerTitle(t, t("cp:proof.title", { number: policy.policyNo })), policy };
}

export const action = readOnly(signedIn);

/** What to show at the roadside: one screen of a phone, one printed sheet. */
export default function ProofOfCover() {
  const t = useTexts();
  const { policy } = useLoaderData<typeof loader>();
  const now = Date.now();
  const { phones, claims } = brand();
  const help = {
    term: t(claims.assistance === undefined ? "cp:proof.helpline" : "cp:proof.assistance"),
    value: <PhoneLinks text={claims.assistance ?? helplinePhone(phones)} />,
  };
  return (
    <CustomerPage>
      <PolicyHeading
        name={policy.name}
        product={policy.product}
        state={stateBadge(t, policyState(policy, isoDayInPoland(now)), policy)}
      />
      <div className="mt-3 max-w-card rounded-card border border-line bg-card p-4 sm:p-6 tight:p-2">
        <FactList
          dense
          facts={[
            { term: t("cp:policy.insured"), value: <span lang="pl">{policy.insured}</span> },
            numberFact(t, policy),
            periodFact(t, policy),
            help,
          ]}
        />
        <p className="mt-3 text-sm text-muted">
          <strong>{t("cp:proof.note")}</strong>{" "}
          {t("cp:proof.asOf", { moment: momentInPoland(t, new Date(now).toISOString()) })}
        </p>
      </div>
      {/* Below the card, which has a phone's first screen to itself. */}
      <div className="mt-6 max-w-card">
        <BackLink to={policyAddress(policy.id)} text={t("cp:payment.back")}>
          <ForScripts name="print">
            <LinkButton type="button">{t("cp:policy.print")}</LinkButton>
          </ForScripts>
        </BackLink>
      </div>
    </CustomerPage>
  );
}
