import { redirect } from "@remix-run/node";
import {
  ACT_NAMES,
  actOf,
  askForSecond,
  describeCustomer,
  isGrave,
  performOnce,
  readPolicyholder,
  readToAct,
  refuseOwnAccount,
  WAIT,
} from "~/backend/index.server";
import type {
  AccountOverview,
  ActName,
  ActRequest,
  CustomerIds,
  FoundCustomer,
  GraveAct,
} from "~/backend/types";
import type { Translate } from "~/i18n/texts.server";
import { useTexts } from "~/i18n/use-texts";
import { sendsMail } from "~/platform/config/mail-variables.server";
import { sendsNotices } from "~/platform/config/sms-variables.server";
import { Alert } from "~/ui/alert";
import { Button, ButtonRow, PlainButtonLink } from "~/ui/button";
import { PageHeading } from "~/ui/page-layout";
import { FactList } from "~/ui/policy-card";
import { stateFacts } from "./account-facts";
import { actPath, CUSTOMER } from "./addresses";
import { goneCustomerPage } from "./customer";
import type { Done } from "./done";
import { customerFact } from "./find";
import { BackLinks, HELP_DESK, messagePage, Outcome, OUTCOME, stopPage } from "./page";
import { withNotices } from "./notices.server";
import type { Chosen, StaffPage, StaffScreen, StaffVisit } from "./screen";
import { openField, sealField } from "./sealed-fields.server";
import { choose, requireFresh } from "./session.server";
import { staffSource } from "./staff-source.server";

/** The page of one act on the chosen customer: its effect, its notices, and one button. */
export const actScreen: StaffScreen = {
  path: "/help-desk/act/:act",
  role: "act",
  get: async (visit, { act }) => {
    const prepared = await checkPreconditions(visit, act);
    return "chosen" in prepared ? actPage(visit, prepared) : prepared.answer;
  },
  post: async (visit, form, { act }) => {
    const prepared = await checkPreconditions(visit, act);
    return "chosen" in prepared ? submitAct(visit, prepared, form) : prepared.answer;
  },
};

/** An act whose preconditions hold, and its customer. */
interface PreparedAct {
  readonly act: ActName;
  readonly chosen: Chosen;
  readonly customer: CustomerIds;
  /** The act, if it is a grave one as the account is now. */
  readonly grave: GraveAct | undefined;
}

/** Checks the preconditions of an act: a customer other than oneself, and for a grave act a fresh sign-on. */
async function checkPreconditions(
  visit: StaffVisit,
  name: string | undefined,
): Promise<PreparedAct | { readonly answer: StaffPage | Response }> {
  const { t, desk, chosen } = visit;
  const act = ACT_NAMES.find((known) => known === name);
  if (!act) return { answer: stopPage(visit, 404, t("errors:page.404.header"), HELP_DESK) };
  if (!chosen) return { answer: redirect(HELP_DESK, 303) };
  const { customerId, reason } = chosen;
  const { state, ...customer } = await readPolicyholder(desk, customerId);
  const refusal = staffSource(visit, `their own account: ${reason}`);
  if (await refuseOwnAccount(desk, visit.staff, customer, refusal))
    return { answer: stopPage(visit, 403, t("helpDesk:act.own"), CUSTOMER) };
  const grave = isGrave(act, state) ? act : undefined;
  const stale = grave && requireFresh(visit);
  return stale ? { answer: stale } : { act, chosen, customer, grave };
}

/** The page for an act that was refused because another tab has opened another customer since. */
async function otherCustomerPage(visit: StaffVisit, { customer }: PreparedAct): Promise<StaffPage> {
  const { t, desk } = visit;
  const open = await describeCustomer(desk, customer.customerId);
  if (!open) return goneCustomerPage(visit);
  return messagePage(
    409,
    t("helpDesk:act.otherCustomer"),
    <>
      <p>{t("helpDesk:act.nothingDone")}</p>
      <FactList facts={[{ ...customerFact(t, open), term: t("helpDesk:act.openNow") }]} />
      <BackLinks t={t} back={CUSTOMER} />
    </>,
  );
}

async function submitAct(
  visit: StaffVisit,
  prepared: PreparedAct,
  form: URLSearchParams,
): Promise<StaffPage | Response> {
  const { desk } = visit;
  const { act, chosen, customer, grave } = prepared;
  const seen = await openField(visit, "seen", form);
  if (seen && seen.customerId !== chosen.customerId) return otherCustomerPage(visit, prepared);
  if (seen?.act !== act) return actPage(visit, prepared, true);
  const source = staffSource(visit, chosen.reason);
  const { state, lastEvent } = seen;
  const request: ActRequest = {
    act,
    customer,
    seen: state,
    lastEvent,
    source,
    isGrave: grave !== undefined,
  };
  const actToApprove = desk.settings.HELP_DESK_APPROVAL === "on" ? grave : undefined;
  const outcome = actToApprove
    ? await requestApproval(visit, { ...request, act: actToApprove })
    : await perform(visit, request);
  if (outcome === "changed") return actPage(visit, prepared, true);
  const cookie = await choose(visit, { ...chosen, done: outcome });
  return redirect(CUSTOMER, { status: 303, headers: { "Set-Cookie": cookie } });
}

async function requestApproval(
  { desk, staff }: StaffVisit,
  request: Parameters<typeof askForSecond>[2],
): Promise<Done | "changed"> {
  const outcome = await askForSecond(desk, staff.sub, request);
  return outcome === "changed" ? outcome : { act: request.act, outcome, counts: {} };
}

async function perform({ desk }: StaffVisit, request: ActRequest): Promise<Done | "changed"> {
  const { act } = request;
  const outcome = await performOnce(withNotices(desk), request);
  switch (outcome.kind) {
    case "done":
      return { act, outcome: "done", counts: outcome.counts };
    case "nothing":
    case "already":
      return { act, outcome: outcome.kind, counts: {} };
    case "changed":
    case "precondition":
      return "changed";
  }
}

/** @param hasChanged the customer's state has changed since the page was shown */
async function actPage(visit: StaffVisit, prepared: PreparedAct, hasChanged = false): Promise<StaffPage> {
  const { desk, t } = visit;
  const { act, chosen, customer } = prepared;
  const described = await describeCustomer(desk, customer.customerId);
  if (!described) return goneCustomerPage(visit);
  const { overview, ...now } = await readToAct(desk, act, customer);
  const seen = await sealField(visit, "seen", {
    customerId: customer.customerId,
    act,
    state: now.seen,
    lastEvent: now.lastEvent ?? "",
  });
  return {
    status: hasChanged ? 409 : 200,
    title: t(`helpDesk:acts.${act}.name`),
    body: (
      <ActForm
        act={act}
        customer={described}
        overview={overview}
        reason={chosen.reason}
        seen={seen}
        hasChanged={hasChanged}
        notified={notifiedText(visit, act, overview)}
        needsApproval={desk.settings.HELP_DESK_APPROVAL === "on" && isGrave(act, overview?.state)}
      />
    ),
  };
}

/** The messages that a customer gets about an act. */
function notifiedText(
  { t, desk: { settings } }: StaffVisit,
  act: ActName,
  overview: AccountOverview | undefined,
): string {
  const [sms, mail] = [sendsNotices(settings), sendsMail(settings)];
  const { tells } = actOf(act);
  switch (typeof tells === "string" ? tells : overview && tells(overview)) {
    case undefined:
    case "no-one":
      return t("helpDesk:told.nobody");
    case "customer":
      if (sms && mail) return t("helpDesk:told.both");
      return t(sms ? "helpDesk:told.sms" : mail ? "helpDesk:told.mail" : "helpDesk:told.off");
    case "both-numbers":
      if (sms && mail) return t("helpDesk:told.numbersAndMail");
      return t(sms ? "helpDesk:told.numbers" : mail ? "helpDesk:told.mail" : "helpDesk:told.off");
  }
}

interface ActFormProps {
  readonly act: ActName;
  readonly customer: FoundCustomer;
  /** Undefined without an account. */
  readonly overview: AccountOverview | undefined;
  readonly reason: string;
  readonly seen: string;
  readonly hasChanged: boolean;
  readonly notified: string;
  readonly needsApproval: boolean;
}

function ActForm({
  act,
  customer,
  overview,
  reason,
  seen,
  hasChanged,
  notified,
  needsApproval,
}: ActFormProps) {
  const t = useTexts();
  const nothing = nothingToDo(t, act, overview);
  return (
    <div className="page-grid flex-1 py-6 md:py-10">
      <div className="max-w-card space-y-6">
        {hasChanged && (
          <Outcome>
            <Alert kind="warning">{t("helpDesk:act.changed")}</Alert>
          </Outcome>
        )}
        <div>
          <PageHeading header={t(`helpDesk:acts.${act}.name`)}>{t(`helpDesk:acts.${act}.does`)}</PageHeading>
          <p className="mt-3">{notified}</p>
        </div>
        <FactList
          facts={[
            customerFact(t, customer),
            ...(overview ? stateFacts(t, overview) : []),
            { term: t("helpDesk:act.reason"), value: reason },
          ]}
        />
        {nothing !== undefined && <Alert kind="info">{nothing}</Alert>}
        {act === "lock-out" &&
          overview?.factors.factors.some(({ passkey }) => passkey && passkey.signsIn !== false) && (
            <Alert kind="warning">{t("helpDesk:act.passkeysStay")}</Alert>
          )}
        {needsApproval && nothing === undefined && <p>{t("helpDesk:act.waits", WAIT)}</p>}
        <form method="post" action={`${actPath(act)}#${OUTCOME}`}>
          <input type="hidden" name="seen" value={seen} />
          <ButtonRow>
            {nothing === undefined && (
              <Button type="submit" size="large">
                {t(needsApproval ? "helpDesk:act.ask" : `helpDesk:acts.${act}.name`)}
              </Button>
            )}
            <PlainButtonLink href={CUSTOMER} variant="quiet" size="large">
              {t("helpDesk:act.toCustomer")}
            </PlainButtonLink>
          </ButtonRow>
        </form>
      </div>
    </div>
  );
}

/** Why there is nothing to do; undefined if there is. */
function nothingToDo(t: Translate, act: ActName, overview: AccountOverview | undefined): string | undefined {
  if (!overview) return act === "reset-caps" ? undefined : t("helpDesk:act.noAccount");
  if (actOf(act).applies?.(overview) ?? true) return undefined;
  if (act === "enable" && overview.state === "locked") return t("helpDesk:act.lockedByPerson");
  return t("helpDesk:act.nothing");
}
