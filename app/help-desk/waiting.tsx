import { redirect } from "@remix-run/node";
import { timeInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import {
  approveRequest,
  auditStaffRefusal,
  declineRequest,
  readPolicyholder,
  refuseOwnAccount,
  showWaitingRequests,
  WAIT,
  waitingRequests,
} from "~/backend/index.server";
import type { ShownRequest, StaffRequest } from "~/backend/types";
import { MINUTE } from "~/platform/time.server";
import { Alert } from "~/ui/alert";
import { Button, ButtonRow } from "~/ui/button";
import { PageHeading, Section } from "~/ui/page-layout";
import { FactList } from "~/ui/policy-card";
import { CUSTOMER, WAITING } from "./addresses";
import { stateFacts } from "./account-facts";
import { contentOf, cookieLine, sealedLine } from "./cookies.server";
import type { Decision } from "./done";
import { customerFact } from "./find";
import { withNotices } from "./notices.server";
import { BackLinks, HELP_DESK, Outcome, OUTCOME, stopPage } from "./page";
import type { StaffPage, StaffScreen, StaffVisit } from "./screen";
import { sealField } from "./sealed-fields.server";
import { requireFresh } from "./session.server";
import { staffSource } from "./staff-source.server";

/** Lets a second person approve or decline the acts that wait. */
export const waitingScreen: StaffScreen = {
  path: WAITING,
  role: "act",
  get: (visit) => waitingPage(visit),
  post: async (visit, form) => {
    const { desk, t } = visit;
    const waiting = await waitingRequests(desk);
    const request = waiting.find(({ id }) => id === form.get("id"));
    if (!request) return to(visit, "over");
    if (form.get("intent") === "decline") return decline(visit, request);
    const stale = requireFresh(visit);
    if (stale) return stale;
    const outcome = await approve(visit, request);
    return outcome === "own" ? stopPage(visit, 403, t("helpDesk:act.own"), WAITING) : to(visit, outcome);
  },
};

/** Back to the list, which shows the outcome of the decision once. */
async function to({ desk, staff }: StaffVisit, decision: Decision): Promise<Response> {
  const cookie = await sealedLine(desk.keys, "decided", { decision }, desk.clock() + MINUTE, staff.sub);
  return redirect(WAITING, { status: 303, headers: { "Set-Cookie": cookie } });
}

async function decline(visit: StaffVisit, request: StaffRequest): Promise<Response> {
  const source = staffSource(visit, `${request.reason}; asked by ${request.operator}`);
  const decision = request.asker === visit.staff.sub ? "withdrawn" : "declined";
  return to(visit, (await declineRequest(visit.desk, request, source)) ? decision : "over");
}

async function approve(visit: StaffVisit, request: StaffRequest): Promise<Decision | "own"> {
  const { desk, staff } = visit;
  const { operator, reason } = request;
  const customer = await readPolicyholder(desk, request.customer_id);
  if (request.asker === staff.sub) {
    await auditStaffRefusal(desk, staffSource(visit, `their own request: ${reason}`), customer);
    return "ownRequest";
  }
  const refusal = staffSource(visit, `their own account: ${reason}`);
  if (await refuseOwnAccount(desk, staff, customer, refusal)) return "own";
  return approveRequest(withNotices(desk), request, customer, {
    sub: staff.sub,
    source: staffSource(visit, `${reason}; asked by ${operator}`),
    declined: staffSource(visit, `the customer has changed: ${reason}`),
  });
}

interface Waiting extends ShownRequest {
  readonly isOwn: boolean;
  /** The sealed field that opens the customer, with the asker's reason. */
  readonly hit: string;
}

async function waitingPage(visit: StaffVisit): Promise<StaffPage> {
  const { t, request, desk, staff } = visit;
  const decided = await contentOf(request, desk.keys, "decided", staff.sub);
  return {
    title: t("helpDesk:waiting.title"),
    body: (
      <WaitingList
        waiting={await readAll(visit)}
        decision={decided?.decision}
        back={visit.chosen ? CUSTOMER : HELP_DESK}
      />
    ),
    ...(decided && { headers: { "Set-Cookie": cookieLine(desk.keys, "decided", "") } }),
  };
}

async function readAll(visit: StaffVisit): Promise<readonly Waiting[]> {
  const { desk, staff } = visit;
  const source = staffSource(visit, "acts that wait for a second person");
  const shown = await showWaitingRequests(desk, source);
  return Promise.all(
    shown.map(async ({ request, ...customer }) => ({
      ...customer,
      request,
      isOwn: request.asker === staff.sub,
      hit: await sealField(visit, "hit", { customerId: request.customer_id, reason: request.reason }),
    })),
  );
}

interface WaitingListProps {
  readonly waiting: readonly Waiting[];
  readonly decision: Decision | undefined;
  /** The page of the chosen customer, or the search. */
  readonly back: string;
}

function WaitingList({ waiting, decision, back }: WaitingListProps) {
  const t = useTexts();
  return (
    <div className="page-grid flex-1 py-6 md:py-10">
      {decision && (
        <Outcome>
          <Alert kind={decision === "approved" ? "success" : "info"}>
            {t(`helpDesk:waiting.decision.${decision}`, WAIT)}
          </Alert>
        </Outcome>
      )}
      <PageHeading header={t("helpDesk:waiting.title")}>{t("helpDesk:waiting.lead", WAIT)}</PageHeading>
      {waiting.length === 0 && <p className="mt-6">{t("helpDesk:waiting.none")}</p>}
      {waiting.map((one) => (
        <WaitingAct key={one.request.id} {...one} />
      ))}
      <div className="mt-8">
        <BackLinks t={t} back={back} />
      </div>
    </div>
  );
}

function WaitingAct({ request, customer, overview, isOwn, hit }: Waiting) {
  const t = useTexts();
  const { id, act, operator, reason, ends_at } = request;
  const name = t(`helpDesk:acts.${act}.name`);
  return (
    <Section header={name}>
      <p>{t(`helpDesk:acts.${act}.does`)}</p>
      <div className="my-4">
        <FactList
          facts={[
            customerFact(t, customer),
            ...stateFacts(t, overview),
            { term: t("helpDesk:waiting.asker"), value: operator },
            { term: t("helpDesk:act.reason"), value: reason },
            { term: t("helpDesk:waiting.until"), value: timeInPoland(t, ends_at) },
          ]}
        />
      </div>
      <form method="post" action={HELP_DESK} className="mb-4">
        <input type="hidden" name="hit" value={hit} />
        <Button type="submit" variant="quiet">
          {t("helpDesk:waiting.open")}
          <span className="sr-only">: {customer.name}</span>
        </Button>
      </form>
      {isOwn && <p className="mb-4">{t("helpDesk:waiting.own")}</p>}
      <form method="post" action={`${WAITING}#${OUTCOME}`}>
        <input type="hidden" name="id" value={id} />
        <ButtonRow>
          {!isOwn && (
            <Button type="submit" name="intent" value="approve">
              {t("helpDesk:waiting.approve")}
              <span className="sr-only">
                : {name}, {customer.name}
              </span>
            </Button>
          )}
          <Button type="submit" name="intent" value="decline" variant="secondary">
            {t(isOwn ? "helpDesk:waiting.withdraw" : "helpDesk:waiting.decline")}
            <span className="sr-only">
              : {name}, {customer.name}
            </span>
          </Button>
        </ButtonRow>
      </form>
    </Section>
  );
}
