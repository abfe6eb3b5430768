import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { WITHOUT_END } from "~/contract/customer-area.server";
import { dayInPoland, timeInPoland } from "~/i18n/times.server";
import type { Translate } from "~/i18n/texts.server";
import { useTexts } from "~/i18n/use-texts";
import { brand, helplinePhone } from "~/platform/config/brand.server";
import { isoDayInPoland } from "~/platform/time.server";
import { problem } from "~/shell/problem";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/titles";
import { ForScripts } from "~/ui/for-scripts";
import { CheckCircle } from "~/ui/icons";
import { CustomerPage } from "~/ui/page-layout";
import { PhoneLinks } from "~/ui/phone";
import { FactList, unbroken } from "~/ui/policy-card";
import { BackLink, LinkButton } from "~/ui/text-link";
import { signedIn } from "~/visit/gate.server";
import { loadOrNotFound } from "./load-or-not-found";
import {
  hasProof,
  numberFact,
  policyAddress,
  type PolicyData,
  policyState,
  type PolicyState,
} from "./policy-facts";

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
  const { kind } = policyState(policy, isoDayInPoland(now));
  const isValid = kind === "active" || kind === "ending";
  return (
    <CustomerPage>
      <BackLink to={policyAddress(policy.id)} text={t("cp:payment.back")}>
        <ForScripts name="print">
          <LinkButton type="button">{t("cp:policy.print")}</LinkButton>
        </ForScripts>
      </BackLink>
      <h1 tabIndex={-1} lang="pl" className="text-2xl sm:text-4xl">
        {unbroken(policy.name)}
      </h1>
      <div className="mt-2 max-w-card rounded-card border border-line bg-card p-3 sm:p-6 tight:p-2">
        <p className={`mb-2 flex text-lg font-bold tight:block ${isValid ? "text-success" : "text-danger"}`}>
          {isValid && <CheckCircle className="mr-2 mt-0.5 h-6 w-6 flex-none" />}
          <span>{validity(t, kind, policy)}</span>
        </p>
        <FactList
          stacked
          facts={[
            numberFact(t, policy),
            { term: t("cp:policy.insured"), value: <span lang="pl">{policy.insured}</span> },
            help,
          ]}
        />
        <p className="mt-2 text-sm">
          {t("cp:proof.note")} {t("cp:proof.asOf", { moment: timeInPoland(t, now) })}
        </p>
      </div>
    </CustomerPage>
  );
}

function validity(t: Translate, kind: PolicyState["kind"], { validFrom, validTo }: PolicyData): string {
  if (kind === "upcoming") return t("cp:policies.state.upcoming", { day: dayInPoland(t, validFrom) });
  if (kind === "ended") return t("cp:proof.ended", { day: dayInPoland(t, validTo) });
  return validTo === WITHOUT_END
    ? t("cp:proof.endless")
    : t("cp:proof.validTo", { day: dayInPoland(t, validTo) });
}
