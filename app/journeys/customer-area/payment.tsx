import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import type { Premium } from "~/contract/premium.server";
import { amountText, dayInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { brand } from "~/platform/config/brand.server";
import { isoDayInPoland } from "~/platform/time.server";
import { problem } from "~/shell/problem";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/titles";
import { PlainButtonLink } from "~/ui/button";
import { CopyButton } from "~/ui/copy-button";
import { Folded } from "~/ui/disclosure";
import { ForScripts } from "~/ui/for-scripts";
import { CustomerPage, PageHeading, Section } from "~/ui/page-layout";
import { PhoneLinks } from "~/ui/phone";
import { FactList } from "~/ui/policy-card";
import { QrPicture } from "~/ui/qr-picture";
import { BackLink, LinkButton, PlainLink } from "~/ui/text-link";
import { signedIn } from "~/visit/gate.server";
import { loadOrNotFound } from "./load-or-not-found";
import { canBePaid, nameFact, numberFact, policyAddress, premiumFacts, premiumState } from "./policy-facts";
import {
  amountTyped,
  groupsOfFour,
  payPageAddress,
  type Transfer,
  transferCode,
  transferOf,
} from "./transfer";

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t } = visit;
  const policy = await loadOrNotFound(visit, "policy", args.params["id"] ?? "");
  const { premium, policyNo: number } = policy;
  if (!premium || !premiumState(premium, isoDayInPoland(Date.now()))) throw problem(404);
  return { title: customerTitle(t, t("cp:payment.title", { number })), policy: { ...policy, premium } };
}

export const action = readOnly(signedIn);

export default function Payment() {
  const t = useTexts();
  const { policy } = useLoaderData<typeof loader>();
  const { id, name, premium, policyNo } = policy;
  const today = isoDayInPoland(Date.now());
  const isPaid = premiumState(premium, today)?.kind === "paid";
  const transfer = transferOf(premium, policyNo);
  const { url } = brand().payment;
  return (
    <CustomerPage>
      <BackLink to={policyAddress(id)} text={t("cp:payment.back")}>
        <ForScripts name="print">
          <LinkButton type="button">{t("cp:policy.print")}</LinkButton>
        </ForScripts>
      </BackLink>
      <PageHeading header={t(isPaid ? "cp:payment.paidHeader" : "cp:payment.header")} />
      <div className="mt-6 rounded-card border border-line bg-card p-5 sm:p-6 tight:p-2">
        <FactList facts={[nameFact(t, name), numberFact(t, policy), ...premiumFacts(t, premium, today)]} />
        <p className="mt-4 max-w-line text-sm text-muted">
          {premium.asOf === undefined
            ? t("cp:payment.asOfUnknown")
            : t("cp:payment.asOf", { day: dayInPoland(t, premium.asOf) })}{" "}
          {t(isPaid ? "cp:payment.nothingDue" : "cp:payment.late")}
        </p>
      </div>
      {!isPaid && url !== undefined && <PayPage address={payPageAddress(url, policyNo, premium)} />}
      {!isPaid && transfer && <TransferDetails id={id} transfer={transfer} premium={premium} />}
      {!isPaid && !canBePaid(premium, today) && (
        <p className="mt-6">
          <PhoneLinks text={t("cp:payment.noWay")} />
        </p>
      )}
    </CustomerPage>
  );
}

function PayPage({ address }: { readonly address: string }) {
  const t = useTexts();
  return (
    <div data-screen-only>
      <Section header={t("cp:payment.online")}>
        <p className="max-w-line">{t("cp:payment.onlineText")}</p>
        <p className="mt-4">
          <PlainButtonLink href={address}>{t("cp:payment.pay")}</PlainButtonLink>
        </p>
      </Section>
    </div>
  );
}

interface TransferDetailsProps {
  /** The policy's. */
  readonly id: string;
  readonly transfer: Transfer;
  readonly premium: Premium;
}

/** The details of a transfer as text, each of them to copy, and as a code for banks' apps where there can be one. */
function TransferDetails({ id, transfer, premium }: TransferDetailsProps) {
  const t = useTexts();
  const code = transferCode(transfer, premium);
  const { account, recipient, title } = transfer;
  return (
    <Section header={t("cp:payment.transfer")}>
      <div className="md:flex md:items-start print:flex">
        <div className="min-w-0 md:flex-1 md:pr-6 print:flex-1 print:pr-6">
          <dl className="-my-3 divide-y divide-line">
            <ToCopy term={t("cp:payment.account")} copy={account}>
              {groupsOfFour(account)}
            </ToCopy>
            <ToCopy term={t("cp:payment.recipient")} copy={recipient}>
              <span lang="pl">{recipient}</span>
            </ToCopy>
            <ToCopy term={t("cp:payment.transferTitle")} copy={title}>
              <span lang="pl">{title}</span>
            </ToCopy>
            <ToCopy term={t("cp:payment.amount")} copy={amountTyped(premium)}>
              {amountText(t, premium)}
            </ToCopy>
          </dl>
        </div>
        {code !== undefined && (
          <div className="mt-8 md:mt-0 md:w-5/12 md:flex-none print:mt-0 print:flex-1">
            <h3 className="font-semibold">{t("cp:payment.code")}</h3>
            <p className="mt-1">{t("cp:payment.codeText")}</p>
            <p data-screen-only>
              <PlainLink href={policyAddress(id, "code.png")}>{t("cp:payment.codeSave")}</PlainLink>
            </p>
            {/* A phone can't scan its own screen. */}
            <Folded summary={t("cp:payment.codeElsewhere")} onPhone>
              <p>{t("cp:payment.codeScan")}</p>
              <QrPicture text={code} label={t("cp:payment.codePicture")} />
            </Folded>
          </div>
        )}
      </div>
    </Section>
  );
}

interface ToCopyProps {
  readonly term: string;
  /** The value as a bank's form takes it. */
  readonly copy: string;
  /** The value as people read it. */
  readonly children: ReactNode;
}

function ToCopy({ term, copy, children }: ToCopyProps) {
  const t = useTexts();
  return (
    <div className="py-3">
      <dt className="text-sm text-muted">{term}</dt>
      <dd>
        <span className="mb-1 block break-words font-semibold">{children}</span>
        <CopyButton value={copy} copied={t("cp:payment.copied")} of={term} />
      </dd>
    </div>
  );
}
