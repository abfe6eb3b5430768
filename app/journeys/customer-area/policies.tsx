import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Form } from "react-router-dom";
import type { CallResponse } from "~/contract/calls.server";
import { dueDay } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { brand } from "~/platform/config/brand.server";
import { isoDayInPoland } from "~/platform/time.server";
import { readOnly } from "~/shell/read-only.server";
import { customerTitle } from "~/shell/titles";
import { Button, ButtonLink, ButtonRow, PlainButtonLink } from "~/ui/button";
import { Folded } from "~/ui/disclosure";
import { EmptySheetPicture } from "~/ui/illustrations";
import { CustomerPage, PageHeading } from "~/ui/page-layout";
import { PhoneLinks } from "~/ui/phone";
import { PolicyCard, PolicyCards, SumToPay } from "~/ui/policy-card";
import { TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";
import { signedIn } from "~/visit/gate.server";
import { loadFromBackend } from "~/visit/visit.server";
import { NoticeBox, noticeText } from "../kit/notice";
import { POLICIES } from "./addresses";
import { claimAddress } from "./claim";
import {
  canBePaid,
  coverEnd,
  numberFact,
  paymentAsked,
  periodFact,
  policyAddress,
  type PolicyData,
  policyState,
  type PolicyState,
  premiumFacts,
  premiumState,
  stateBadge,
  sumText,
} from "./policy-facts";
import { KnownPasskeys, loadFactorHints, PasskeyOffer, UnsavedCode } from "./factor-hints";
import { loadSignInNews, SignInNews } from "./sign-in-news";

/** With more policies than this, the page has a search (contract: customer area, My Policies). */
const MANY = 10;
/** The name of the query's parameter. */
const SEARCH = "q";
/** In characters; no policy has a longer name. */
const MAX_TYPED = 100;

export async function loader(args: LoaderFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const { t } = visit;
  const isFirstPage = visit.takeNotice()?.afterSignIn === true;
  const [{ policies }, news, hints] = await Promise.all([
    loadFromBackend(visit, "policies"),
    loadSignInNews(visit, customer.username),
    isFirstPage ? loadFactorHints(visit) : undefined,
  ]);
  const notice = noticeText(visit);
  const isQuiet = !notice && !news && !hints?.hasUnsavedCode && !visit.isAnnounced;
  return {
    title: customerTitle(t, t("cp:policies.title")),
    notice,
    news,
    hints,
    offersPasskey: isQuiet && hints?.offersPasskey,
    policies,
    sought: new URL(visit.request.url).searchParams.get(SEARCH) ?? "",
  };
}

export const action = readOnly(signedIn);

type ListedPolicy = CallResponse<"policies">["policies"][number] & Standing;

/** Whether a policy is folded away: it has ended, and nothing is left to pay. */
function isOver({ state, toPay }: ListedPolicy): boolean {
  return state.kind === "ended" && !toPay;
}

export default function Policies() {
  const t = useTexts();
  const { notice, news, hints, offersPasskey, policies, sought } = useLoaderData<typeof loader>();
  const isMany = policies.length > MANY;
  const typed = isMany ? sought.trim() : "";
  const all = byWhatMattersNow(policies, isoDayInPoland(Date.now()));
  const found = matching(all, typed);
  const current = found.filter((policy) => !isOver(policy));
  const ended = found.filter(isOver);
  return (
    <CustomerPage>
      <PageHeading header={t("cp:policies.header")} />
      <NoticeBox notice={notice} />
      {hints && <KnownPasskeys {...hints} />}
      {news && <SignInNews news={news} here={POLICIES} />}
      <PaymentLine policies={all} />
      {hints?.hasUnsavedCode && <UnsavedCode />}
      {offersPasskey && <PasskeyOffer />}
      {/* One button for all cards: forty with the same words are in the way. */}
      {isMany && (
        <p data-screen-only className="mt-4">
          <PlainButtonLink href={claimAddress(undefined)} variant="secondary">
            {t("cp:claim.report")}
          </PlainButtonLink>
        </p>
      )}
      {isMany && <Search typed={typed} found={found.length} />}
      {policies.length === 0 && (
        <div className="mt-6 max-w-card">
          <div className="max-w-xs">
            <EmptySheetPicture />
          </div>
          <p className="mt-4">
            <PhoneLinks text={t("cp:policies.empty")} />
          </p>
        </div>
      )}
      {current.length > 0 && <Cards policies={current} isOfMany={isMany} />}
      {ended.length > 0 && (
        <div className="mt-6">
          <Folded summary={t("cp:policies.ended", { count: ended.length })} open={typed !== ""}>
            <Cards policies={ended} isOfMany={isMany} />
          </Folded>
        </div>
      )}
    </CustomerPage>
  );
}

/** What is to be paid now, in all, and the way to pay; or that everything is paid. Nothing if no policy says. */
function PaymentLine({ policies }: { readonly policies: readonly ListedPolicy[] }) {
  const t = useTexts();
  const today = isoDayInPoland(Date.now());
  const owed = policies.filter(({ toPay }) => toPay);
  const [first] = owed;
  if (!first?.toPay) {
    // A policy that has ended, and one paid until a day in the past, say nothing of today.
    const states = policies
      .filter(({ validTo }) => validTo >= today)
      .flatMap(({ premium }) => premiumState(premium, today) ?? [])
      .filter((state) => state.kind !== "paid" || state.until >= today);
    const [next] = states.flatMap((state) => (state.kind === "later" ? state.dueOn : [])).sort();
    if (states.length === 0) return null;
    return (
      <p className="mt-4">
        {next === undefined ? t("cp:premium.allPaid") : t("cp:premium.next", { day: dueDay(t, next, today) })}
      </p>
    );
  }
  const amount = sumText(
    t,
    owed.flatMap(({ premium }) => premium ?? []),
  );
  const address = owed.map((policy) => payAddress(policy, today)).find((known) => known !== undefined);
  return (
    <div className="mt-6 sm:flex sm:flex-wrap sm:items-center">
      <div className="sm:mr-4">
        <SumToPay
          text={t("cp:premium.now", { amount, count: owed.length })}
          amount={amount}
          urgency={first.toPay.kind}
        />
      </div>
      {address !== undefined && (
        <p data-screen-only>
          <TextLink to={address}>
            {owed.length === 1 ? (
              t("cp:policy.pay")
            ) : (
              <span>
                {t("cp:premium.first")} <span lang="pl">{first.name}</span>
              </span>
            )}
          </TextLink>
        </p>
      )}
    </div>
  );
}

/** The address for paying what is due now, where the portal can say how. */
function payAddress({ id, premium, toPay }: ListedPolicy, today: string): string | undefined {
  return id !== undefined && toPay && canBePaid(premium, today) ? policyAddress(id, "payment") : undefined;
}

function Cards({
  policies,
  isOfMany,
}: {
  readonly policies: readonly ListedPolicy[];
  readonly isOfMany: boolean;
}) {
  const t = useTexts();
  const today = isoDayInPoland(Date.now());
  return (
    <PolicyCards>
      {policies.map((policy) => {
        const { policyNo, name, product, state, id, premium, toPay } = policy;
        const href = id === undefined ? undefined : policyAddress(id);
        const payment = payAddress(policy, today);
        // A policy that hasn't begun covers no damage yet.
        const claim = isOfMany || state.kind === "upcoming" ? undefined : claimAddress(href);
        return (
          <PolicyCard
            key={policyNo}
            name={name}
            product={product}
            state={stateBadge(t, state, policy)}
            href={href}
            facts={[...premiumFacts(t, premium, today), numberFact(t, policy), periodFact(t, policy)]}
          >
            {(toPay || claim !== undefined || coverEnd(state)) && (
              <CardSteps policy={policy} claim={claim} payment={payment} />
            )}
          </PolicyCard>
        );
      })}
    </PolicyCards>
  );
}

/** On a policy's card: pay what is due, report a claim and, when its cover ends, renew it. */
function CardSteps({
  policy: { name, state, toPay },
  claim,
  payment,
}: {
  readonly policy: ListedPolicy;
  /** The address for reporting a claim; none in a long list, or before the policy begins. */
  readonly claim: string | undefined;
  /** The address for paying, if something is due now and the portal can say how. */
  readonly payment: string | undefined;
}) {
  const t = useTexts();
  const { renewal } = brand();
  const end = coverEnd(state);
  const hasRenewalPage = end !== undefined && renewal !== undefined;
  // The policy's name is read out with each button, because many cards have the same buttons.
  const ofPolicy = (text: string) => (
    <span>
      {text}
      <span lang="pl" className="sr-only">
        : {name}
      </span>
    </span>
  );
  return (
    <div className="space-y-4">
      {toPay && payment === undefined && (
        <p>
          <PhoneLinks text={t("cp:payment.noWay")} />
        </p>
      )}
      {end && !hasRenewalPage && (
        <p>
          <PhoneLinks text={t(`cp:renewal.${end}Call`)} />
        </p>
      )}
      {(payment !== undefined || claim !== undefined || hasRenewalPage) && (
        <div data-screen-only>
          <ButtonRow>
            {payment !== undefined && <ButtonLink to={payment}>{ofPolicy(t("cp:policy.pay"))}</ButtonLink>}
            {claim !== undefined && (
              <PlainButtonLink href={claim} variant="secondary">
                {ofPolicy(t("cp:claim.report"))}
              </PlainButtonLink>
            )}
            {hasRenewalPage && (
              <PlainButtonLink href={renewal} variant="secondary">
                {ofPolicy(t(`cp:renewal.${end}Link`))}
              </PlainButtonLink>
            )}
          </ButtonRow>
        </div>
      )}
    </div>
  );
}

/** Finds policies by name or number, for customers who have many. It is a GET, so that reload and Back repeat it. */
function Search({ typed, found }: { readonly typed: string; readonly found: number }) {
  const t = useTexts();
  return (
    <Form method="get" action={POLICIES} className="mt-6 max-w-card">
      <div className="sm:flex sm:items-end">
        <div className="min-w-0 sm:flex-1">
          <TextField
            key={typed}
            id="policy-search"
            type="search"
            name={SEARCH}
            label={t("cp:policies.search.label")}
            hint={t("cp:policies.search.hint")}
            defaultValue={typed}
            maxLength={MAX_TYPED}
            autoComplete="off"
          />
        </div>
        <p className="mt-3 sm:ml-3">
          <Button type="submit" variant="secondary" size="large">
            {t("cp:policies.search.submit")}
          </Button>
        </p>
      </div>
      <p role="status" className={typed ? "mt-3 font-semibold" : undefined}>
        {typed &&
          (found > 0 ? t("cp:policies.search.found", { count: found }) : t("cp:policies.search.none"))}
      </p>
      {typed && (
        <p>
          <TextLink to={POLICIES}>{t("cp:policies.search.all")}</TextLink>
        </p>
      )}
    </Form>
  );
}

/** The policies with the typed text in their name or number. Capitals, accents, spaces and dashes don't matter. */
export function matching<Policy extends PolicyData>(
  policies: readonly Policy[],
  typed: string,
): readonly Policy[] {
  const sought = plain(typed);
  if (sought === "") return policies;
  return policies.filter(({ name, policyNo }) => plain(`${name} ${policyNo}`).includes(sought));
}

/** U+0142, the l with a stroke, doesn't decompose into a letter and an accent, so it is replaced separately. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/\u0142/g, "l")
    .replace(/[\s-]/g, "");
}

const ORDER = { overdue: 0, due: 1, ending: 2, active: 3, upcoming: 4, ended: 5 } as const;

/** A listed policy with its state today. */
interface Standing {
  readonly state: PolicyState;
  /** The state of its premium, if it asks for payment now. */
  readonly toPay: ReturnType<typeof paymentAsked>;
}

/**
 * Sorts by urgency: the longest overdue first, then due soon, ending soonest, active, beginning next, and
 * ended, the latest first.
 */
export function byWhatMattersNow<Policy extends PolicyData>(
  policies: readonly Policy[],
  today: string,
): readonly (Policy & Standing)[] {
  return policies
    .map((policy) => ({
      ...policy,
      state: policyState(policy, today),
      toPay: paymentAsked(policy.premium, today),
    }))
    .sort((one, other) => {
      const [first, second] = [placeOf(one), placeOf(other)];
      const days = compareDays(first.day, second.day);
      return ORDER[first.kind] - ORDER[second.kind] || (first.kind === "ended" ? -days : days);
    });
}

function placeOf({ validFrom, validTo, state, toPay }: PolicyData & Standing) {
  if (toPay) return { kind: toPay.kind, day: toPay.dueOn };
  return { kind: state.kind, day: state.kind === "upcoming" ? validFrom : validTo };
}

function compareDays(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
