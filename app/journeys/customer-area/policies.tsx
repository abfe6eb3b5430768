import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { CallResponse } from "~/contract/calls.server";
import { type Translate, words } from "~/i18n/texts.server";
import { dayInPoland } from "~/i18n/times.server";
import { isoDayInPoland } from "~/platform/time.server";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/titles";
import { CustomerPage, PageHeading } from "~/ui/page-layout";
import { Folded } from "~/ui/disclosure";
import { EmptySheetPicture } from "~/ui/illustrations";
import { PlainButtonLink } from "~/ui/button";
import { PhoneLinks } from "~/ui/phone";
import { type BadgeProps, PolicyCard, PolicyCards } from "~/ui/policy-card";
import type { IconProduct } from "~/ui/icons";
import { signedIn } from "~/visit/gate.server";
import { loadFromBackend } from "~/visit/visit.server";
import { NoticeBox } from "../kit/notice-box";
import { noticeText } from "../kit/notice";
import { claimAddress } from "./claim-words";
import { badgeOf } from "./policy-badge";
import {
  byWhatMattersNow,
  type FactWords,
  matching,
  numberFact,
  periodFact,
  type PolicyState,
} from "./policy-facts";
import { CardSteps, type RenewalStep } from "./renewal";
import { POLICIES } from "./profile-address";
import { renewalWords } from "./renewal.server";
import { SignInNews } from "./sign-in-news";
import { loadSignInNews } from "./sign-in-news.server";
import { UnsavedCode } from "./unsaved-code";
import { loadUnsavedCode } from "./unsaved-code.server";
import { PolicySearch, SEARCH } from "./policy-search";

/** With more policies than this, the page has a search (contract: customer area, My Policies). */
const MANY = 10;

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const isFirstPage = visit.takeNotice()?.afterSignIn === true;
  const [{ policies }, news, unsavedCode] = await Promise.all([
    loadFromBackend(visit, "policies"),
    isFirstPage ? loadSignInNews(visit) : undefined,
    isFirstPage ? loadUnsavedCode(visit) : undefined,
  ]);
  const { t } = visit;
  const hasSearch = policies.length > MANY;
  const typed = hasSearch ? (new URL(visit.request.url).searchParams.get(SEARCH) ?? "").trim() : "";
  const found = byWhatMattersNow(matching(policies, typed), isoDayInPoland(Date.now()));
  const cards = (ended: boolean) =>
    found
      .filter(({ state }) => (state.kind === "ended") === ended)
      .map((policy) => cardOf(t, policy, hasSearch));
  const ended = cards(true);
  return {
    title: customerTitle(t, t("cp:policies.title")),
    notice: noticeText(visit),
    news,
    unsavedCode,
    isEmpty: policies.length === 0,
    current: cards(false),
    ended,
    endedTitle: t("cp:policies.ended", { count: ended.length }),
    typed,
    // One for all cards: forty buttons with the same words are in the way.
    claim: hasSearch ? claimAddress(undefined) : undefined,
    search: hasSearch
      ? {
          ...words(t, {
            label: "cp:policies.search.label",
            hint: "cp:policies.search.hint",
            submit: "cp:policies.search.submit",
            all: "cp:policies.search.all",
          }),
          found:
            found.length > 0
              ? t("cp:policies.search.found", { count: found.length })
              : t("cp:policies.search.none"),
        }
      : undefined,
    words: words(t, {
      header: "cp:policies.header",
      empty: "cp:policies.empty",
      number: "cp:policies.number",
      period: "cp:policies.period",
      report: "cp:claim.report",
    }),
  };
}

export const action = readOnly(signedIn);

/** A policy, formatted for its card. No line breaks inside the days of its period. */
interface Card {
  readonly policyNo: string;
  readonly name: string;
  readonly product: IconProduct | undefined;
  readonly state: BadgeProps;
  readonly from: string;
  readonly to: string;
  /** Its page, if the backend offers one. */
  readonly href: string | undefined;
  /** The address for reporting a claim; none in a long list, or before the policy begins. */
  readonly claim: string | undefined;
  /** Advice if its cover ends, or has ended lately. */
  readonly renewal: RenewalStep | undefined;
}

type ListedPolicy = CallResponse<"policies">["policies"][number] & { readonly state: PolicyState };

function cardOf(t: Translate, policy: ListedPolicy, isOfMany: boolean): Card {
  const { policyNo, name, product, validFrom, validTo, state, id } = policy;
  const from = dayInPoland(t, validFrom);
  const to = dayInPoland(t, validTo);
  const href = id === undefined ? undefined : `/cp/policy/${encodeURIComponent(id)}`;
  return {
    policyNo,
    name,
    product,
    state: badgeOf(t, state, from),
    from,
    to,
    href,
    claim: isOfMany || state.kind === "upcoming" ? undefined : claimAddress(href),
    renewal: renewalWords(t, state, to)?.step,
  };
}

export default function Policies() {
  const { words, notice, news, unsavedCode, isEmpty, current, ended, endedTitle, typed, claim, search } =
    useLoaderData<typeof loader>();
  return (
    <CustomerPage>
      <PageHeading header={words.header} />
      <NoticeBox notice={notice} />
      {unsavedCode && <UnsavedCode {...unsavedCode} />}
      {news && <SignInNews {...news} here={POLICIES} />}
      {claim !== undefined && (
        <p data-screen-only className="mt-4">
          <PlainButtonLink href={claim} variant="secondary">
            {words.report}
          </PlainButtonLink>
        </p>
      )}
      {search && <PolicySearch typed={typed} words={search} />}
      {isEmpty && (
        <div className="mt-6 max-w-card">
          <div className="max-w-xs">
            <EmptySheetPicture />
          </div>
          <p className="mt-4">
            <PhoneLinks text={words.empty} />
          </p>
        </div>
      )}
      {current.length > 0 && <Cards cards={current} words={words} />}
      {ended.length > 0 && (
        <div className="mt-6">
          <Folded summary={endedTitle} open={typed !== ""}>
            <Cards cards={ended} words={words} />
          </Folded>
        </div>
      )}
    </CustomerPage>
  );
}

function Cards({
  cards,
  words,
}: {
  readonly cards: readonly Card[];
  readonly words: FactWords & { readonly report: string };
}) {
  return (
    <PolicyCards>
      {cards.map((card) => (
        <PolicyCard
          key={card.policyNo}
          name={card.name}
          product={card.product}
          state={card.state}
          href={card.href}
          facts={[numberFact(card, words), periodFact(card, words)]}
        >
          {(card.claim !== undefined || card.renewal) && <CardSteps {...card} report={words.report} />}
        </PolicyCard>
      ))}
    </PolicyCards>
  );
}
