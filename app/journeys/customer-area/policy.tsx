import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { CallResponse } from "~/contract/calls.server";
import { dayInPoland, fileSize } from "~/i18n/times.server";
import { type Translate, words } from "~/i18n/texts.server";
import { isoDayInPoland } from "~/platform/time.server";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/titles";
import { BackLink, LinkButton } from "~/ui/text-link";
import { CustomerPage } from "~/ui/page-layout";
import { FactList, PolicyHeading } from "~/ui/policy-card";
import { ForScripts } from "~/ui/for-scripts";
import { signedIn } from "~/visit/gate.server";
import { loadFromBackend } from "~/visit/visit.server";
import { documentPasswordPath, documentPath } from "../kit/addresses";
import { ClaimButton, ClaimSection } from "./claim-section";
import { claimWords } from "./claim-words";
import { loadOrNotFound } from "./load-or-not-found";
import { badgeOf } from "./policy-badge";
import { PolicyDocuments } from "./policy-documents";
import { numberFact, periodFact, policyState } from "./policy-facts";
import { RenewalSection } from "./renewal";
import { renewalWords } from "./renewal.server";

type PolicyDocument = CallResponse<"policy">["documents"][number];

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t } = visit;
  const policy = await loadOrNotFound(visit, "policy", args.params["id"] ?? "");
  const { policyNo, name, product, validFrom, validTo, insured, documents } = policy;
  const state = policyState(policy, isoDayInPoland(Date.now()));
  const from = dayInPoland(t, validFrom);
  const to = dayInPoland(t, validTo);
  const hasProtected = documents.some((document) => document.protected);
  const needsPassword = hasProtected && !(await loadFromBackend(visit, "profile")).documentPassword;
  return {
    title: customerTitle(t, t("cp:policy.title", { number: policyNo, name })),
    name,
    product,
    state: badgeOf(t, state, from),
    policyNo,
    insured,
    from,
    to,
    documents: documents.map((document) => shownDocument(t, document)),
    aboutPassword: hasProtected ? t("cp:policy.aboutPassword") : undefined,
    missing: needsPassword
      ? {
          ...words(t, {
            word: "common:a11y.info",
            text: "cp:policy.needsPassword",
            link: "cp:policy.createPassword",
          }),
          href: documentPasswordPath("create"),
        }
      : undefined,
    // A policy that hasn't begun covers no damage yet.
    claim: state.kind === "upcoming" ? undefined : claimWords(t, policyNo),
    renewal: renewalWords(t, state, to),
    words: words(t, {
      back: "cp:policies.title",
      print: "cp:policy.print",
      number: "cp:policies.number",
      insured: "cp:policy.insured",
      period: "cp:policies.period",
      header: "cp:policy.documents",
      isProtected: "cp:policy.protected",
      download: "cp:policy.download",
    }),
  };
}

export const action = readOnly(signedIn);

function shownDocument(t: Translate, document: PolicyDocument) {
  const { id, name, kind, issuedOn, bytes } = document;
  const shown = t(`cp:policy.kind.${kind}`);
  const facts = { day: dayInPoland(t, issuedOn), size: fileSize(t, bytes) };
  // A name that begins with the kind has said it.
  const about = name.startsWith(shown)
    ? t("cp:policy.documentDated", facts)
    : t("cp:policy.document", { kind: shown, ...facts });
  return { id, href: documentPath(id), name, about, isProtected: document.protected };
}

export default function Policy() {
  const { words, claim, renewal, ...policy } = useLoaderData<typeof loader>();
  const { documents, aboutPassword, missing } = policy;
  const insured = { term: words.insured, value: <span lang="pl">{policy.insured}</span> };
  return (
    <CustomerPage>
      <BackLink to="/cp" text={words.back}>
        <ForScripts name="print">
          <LinkButton type="button">{words.print}</LinkButton>
        </ForScripts>
      </BackLink>
      <PolicyHeading name={policy.name} product={policy.product} state={policy.state} />
      {/* After damage, a customer in a hurry finds the button on a phone's first screen; the advice follows the documents. */}
      {claim && (
        <div className="mt-4">
          <ClaimButton button={claim.button} />
        </div>
      )}
      <div className="lg:flex lg:items-start">
        <div className="min-w-0 lg:flex-1">
          <div className="mt-6 rounded-card border border-line bg-card p-5 sm:p-6 tight:p-2">
            <FactList facts={[numberFact(policy, words), insured, periodFact(policy, words)]} />
          </div>
          {renewal && <RenewalSection words={renewal} />}
          {documents.length > 0 && (
            <PolicyDocuments
              documents={documents}
              aboutPassword={aboutPassword}
              missing={missing}
              words={words}
            />
          )}
        </div>
        {claim && (
          <div className="lg:ml-6 lg:w-5/12 lg:flex-none">
            <ClaimSection words={claim} />
          </div>
        )}
      </div>
    </CustomerPage>
  );
}
