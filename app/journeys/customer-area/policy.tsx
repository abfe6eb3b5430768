import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { CallResponse } from "~/contract/calls.server";
import { dayInPoland, fileSize } from "~/i18n/times.server";
import type { Translate } from "~/i18n/texts.server";
import { useTexts } from "~/i18n/use-texts";
import { brand } from "~/platform/config/brand.server";
import { isoDayInPoland } from "~/platform/time.server";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/titles";
import { Alert } from "~/ui/alert";
import { ButtonLink, PlainButtonLink } from "~/ui/button";
import { Lock } from "~/ui/icons";
import { BackLink, LinkButton, PlainLink, TextLink } from "~/ui/text-link";
import { CustomerPage, Section } from "~/ui/page-layout";
import { PhoneLinks } from "~/ui/phone";
import { FactList, PolicyHeading } from "~/ui/policy-card";
import { ForScripts } from "~/ui/for-scripts";
import { signedIn } from "~/visit/gate.server";
import { loadFromBackend } from "~/visit/visit.server";
import { documentPasswordPath, documentPath } from "../kit/addresses";
import { ClaimOpenedByButton } from "./claim";
import { loadOrNotFound } from "./load-or-not-found";
import {
  canBePaid,
  coverEnd,
  daysAhead,
  hasProof,
  numberFact,
  paymentAsked,
  periodFact,
  policyAddress,
  policyState,
  type PolicyState,
  premiumFacts,
  stateBadge,
} from "./policy-facts";

type PolicyDocument = CallResponse<"policy">["documents"][number];

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t } = visit;
  const policy = await loadOrNotFound(visit, "policy", args.params["id"] ?? "");
  const { policyNo: number, name } = policy;
  return {
    title: customerTitle(t, t("cp:policy.title", { number, name })),
    policy,
    needsPassword:
      policy.documents.some(isProtected) && !(await loadFromBackend(visit, "profile")).documentPassword,
  };
}

export const action = readOnly(signedIn);

export default function Policy() {
  const t = useTexts();
  const { policy } = useLoaderData<typeof loader>();
  const today = isoDayInPoland(Date.now());
  const state = policyState(policy, today);
  const insured = { term: t("cp:policy.insured"), value: <span lang="pl">{policy.insured}</span> };
  return (
    <CustomerPage>
      <BackLink to="/cp" text={t("cp:policies.title")}>
        <ForScripts name="print">
          <LinkButton type="button">{t("cp:policy.print")}</LinkButton>
        </ForScripts>
      </BackLink>
      <PolicyHeading name={policy.name} product={policy.product} state={stateBadge(t, state, policy)} />
      {/* After damage, a customer in a hurry finds the button on a phone's first screen. A policy that hasn't begun covers
          no damage yet. */}
      {state.kind !== "upcoming" && <ClaimOpenedByButton policyNo={policy.policyNo} />}
      <div className="lg:flex lg:items-start">
        <div className="min-w-0 lg:flex-1">
          <div className="mt-6 rounded-card border border-line bg-card p-5 sm:p-6 tight:p-2">
            <FactList
              facts={[
                ...premiumFacts(t, policy.premium, today),
                numberFact(t, policy),
                insured,
                periodFact(t, policy),
              ]}
            />
            {paymentAsked(policy.premium, today) && !canBePaid(policy.premium, today) && (
              <p className="mt-4">
                <PhoneLinks text={t("cp:payment.noWay")} />
              </p>
            )}
            <Steps today={today} />
          </div>
          <Renewal state={state} lastDay={policy.validTo} />
        </div>
        {policy.documents.length > 0 && (
          <div className="min-w-0 lg:ml-6 lg:flex-1">
            <Documents />
          </div>
        )}
      </div>
    </CustomerPage>
  );
}

/** What a customer can do with a policy: pay, keep its days in mind, show it at the roadside. */
function Steps({ today }: { readonly today: string }) {
  const t = useTexts();
  const { policy } = useLoaderData<typeof loader>();
  const { id, premium } = policy;
  return (
    <div data-screen-only>
      {canBePaid(premium, today) && (
        <p className="mt-4">
          <ButtonLink to={policyAddress(id, "payment")}>{t("cp:policy.pay")}</ButtonLink>
        </p>
      )}
      <ul className="-mb-2.5 mt-2">
        {hasProof(policy) && policy.validTo >= today && (
          <li>
            <TextLink to={policyAddress(id, "proof")}>{t("cp:policy.proof")}</TextLink>
          </li>
        )}
        {daysAhead(policy, today).length > 0 && (
          <li>
            <PlainLink href={policyAddress(id, "calendar.ics")}>{t("cp:policy.calendar")}</PlainLink>
          </li>
        )}
      </ul>
    </div>
  );
}

/** Says when cover ends or has ended, and how to get it again: on the insurer's page, or else by the helpline. */
export function Renewal({ state, lastDay }: { readonly state: PolicyState; readonly lastDay: string }) {
  const t = useTexts();
  const { renewal } = brand();
  const end = coverEnd(state);
  if (!end) return null;
  return (
    <Section header={t(`cp:renewal.${end}`)}>
      <p>{t("cp:renewal.lastDay", { day: dayInPoland(t, lastDay) })}</p>
      {renewal === undefined ? (
        <p className="mt-2">
          <PhoneLinks text={t(`cp:renewal.${end}Call`)} />
        </p>
      ) : (
        <p className="printed-address mt-4">
          <PlainButtonLink href={renewal} variant="secondary">
            {t(`cp:renewal.${end}Link`)}
          </PlainButtonLink>
        </p>
      )}
    </Section>
  );
}

function Documents() {
  const t = useTexts();
  const { policy, needsPassword } = useLoaderData<typeof loader>();
  return (
    <Section header={t("cp:policy.documents")}>
      {needsPassword && (
        <div className="mb-3">
          <Alert kind="info">
            <p>{t("cp:policy.needsPassword")}</p>
            <p className="-mb-2">
              <TextLink to={`${documentPasswordPath("create")}?policy=${encodeURIComponent(policy.id)}`}>
                {t("cp:policy.createPassword")}
              </TextLink>
            </p>
          </Alert>
        </div>
      )}
      <ul className="-mt-1 divide-y divide-line">
        {policy.documents.map((document) => (
          <DocumentRow key={document.id} document={document} />
        ))}
      </ul>
      {policy.documents.some(isProtected) && (
        <p data-screen-only className="mt-2 max-w-line text-sm text-muted">
          {t("cp:policy.aboutPassword")}
        </p>
      )}
    </Section>
  );
}

function DocumentRow({ document }: { readonly document: PolicyDocument }) {
  const t = useTexts();
  const { id, name } = document;
  return (
    <li className="py-4 sm:flex sm:items-center">
      <div className="min-w-0 sm:flex-1 sm:pr-6">
        <p lang="pl" className="break-words font-semibold">
          {name}
        </p>
        <p className="text-sm text-muted">{aboutDocument(t, document)}</p>
        {isProtected(document) && (
          <p data-screen-only className="mt-1 flex text-sm">
            <Lock className="mr-1 h-5 w-5 flex-none text-muted" />
            {t("cp:policy.protected")}
          </p>
        )}
      </div>
      <p data-screen-only className="flex-none">
        <PlainLink href={documentPath(id)}>
          {t("cp:policy.download")}
          <span lang="pl" className="sr-only">
            : {name}
          </span>
        </PlainLink>
      </p>
    </li>
  );
}

/** Its kind, its day of issue and its size. A name that begins with the kind has said it. */
function aboutDocument(t: Translate, { name, kind, issuedOn, bytes }: PolicyDocument): string {
  const shown = t(`cp:policy.kind.${kind}`);
  const facts = { day: dayInPoland(t, issuedOn), size: fileSize(t, bytes) };
  return name.startsWith(shown)
    ? t("cp:policy.documentDated", facts)
    : t("cp:policy.document", { kind: shown, ...facts });
}

function isProtected(document: PolicyDocument): boolean {
  return document.protected;
}
