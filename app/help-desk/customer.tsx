import { redirect } from "@remix-run/node";
import { clockTimeInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import {
  ACT_NAMES,
  actOf,
  COUNTED_THINGS,
  describeCustomer,
  isGrave,
  readPolicyholder,
  showCustomer,
  WAIT,
  waitingRequests,
} from "~/backend/index.server";
import type { ActName, FoundCustomer, ShownOverview, StaffRequest } from "~/backend/types";
import { MINUTE } from "~/platform/time.server";
import { Alert } from "~/ui/alert";
import { BulletList } from "~/ui/bullet-list";
import { PlainButtonLink } from "~/ui/button";
import { PageHeading, Section } from "~/ui/page-layout";
import { PlainLink } from "~/ui/text-link";
import { AccountFacts, UnregisteredFacts } from "./account-facts";
import { actPath, CUSTOMER, WAITING } from "./addresses";
import type { Done } from "./done";
import { Described } from "./find";
import { HELP_DESK, messagePage, Outcome } from "./page";
import type { Chosen, StaffPage, StaffScreen, StaffVisit } from "./screen";
import { choose } from "./session.server";
import { staffSource } from "./staff-source.server";

/** The last events, and for a minute each page of the same customer is one look. */
const SHOWING = { events: 50, lasts: MINUTE } as const;

/** The chosen customer, with an account or without. Each look is audited. */
export const customerScreen: StaffScreen = {
  path: CUSTOMER,
  role: "look",
  get: async (visit) => {
    const { t, chosen } = visit;
    if (!chosen) return redirect(HELP_DESK, 303);
    const shown = await look(visit, chosen);
    if (!shown) return goneCustomerPage(visit);
    const { done, ...kept } = chosen;
    return {
      title: t("helpDesk:customer.title"),
      body: <Customer {...shown} reason={chosen.reason} done={done} mayAct={visit.staff.mayAct} />,
      ...(done && { headers: { "Set-Cookie": await choose(visit, kept) } }),
    };
  },
};

/** A page for a customer who was erased meanwhile. */
export function goneCustomerPage({ t }: Pick<StaffVisit, "t">): StaffPage {
  return messagePage(
    404,
    t("helpDesk:customer.gone"),
    <p>
      <PlainButtonLink href={HELP_DESK}>{t("helpDesk:customer.findOther")}</PlainButtonLink>
    </p>,
  );
}

interface ShownCustomer {
  readonly customer: FoundCustomer;
  readonly overview: ShownOverview;
  readonly requests: readonly StaffRequest[];
}

async function look(visit: StaffVisit, { customerId, reason }: Chosen): Promise<ShownCustomer | undefined> {
  const { desk } = visit;
  const customer = await describeCustomer(desk, customerId);
  if (!customer) return undefined;
  const source = staffSource(visit, reason);
  const { accountId } = await readPolicyholder(desk, customerId);
  const deps = { ...desk, smsPrefixes: desk.settings.SMS_PREFIXES };
  const overview = await showCustomer(deps, { customerId, accountId, source }, SHOWING);
  const requests = await waitingRequests(desk, customerId);
  return { customer, overview, requests };
}

interface CustomerProps extends ShownCustomer {
  readonly reason: string;
  readonly done: Done | undefined;
  readonly mayAct: boolean;
}

function Customer({ customer, overview, requests, reason, done, mayAct }: CustomerProps) {
  const t = useTexts();
  return (
    <div className="page-grid flex-1 py-6 md:py-10">
      {done && <DoneAlert {...done} />}
      {requests.map(({ id, act, ends_at }) => (
        <div key={id} className="mb-4">
          <Alert kind="warning">
            {t("helpDesk:customer.waits", {
              act: t(`helpDesk:acts.${act}.name`),
              time: clockTimeInPoland(t, ends_at),
            })}{" "}
            {mayAct && <PlainLink href={WAITING}>{t("helpDesk:waiting.title")}</PlainLink>}
          </Alert>
        </div>
      ))}
      <PageHeading header={customer.name}>
        <Described {...customer} />
      </PageHeading>
      <p className="mt-3 break-words">
        {t("helpDesk:reason", { reason })}{" "}
        <PlainLink href={HELP_DESK}>{t("helpDesk:customer.findOther")}</PlainLink>
      </p>
      {mayAct && <ActLinks overview={overview} requests={requests} />}
      {overview.account === null ? <UnregisteredFacts {...overview} /> : <AccountFacts {...overview} />}
    </div>
  );
}

/** The outcome of the last act. */
function DoneAlert({ act, outcome, counts }: Done) {
  const t = useTexts();
  const items = COUNTED_THINGS.flatMap((thing) => {
    const count = counts[thing] ?? 0;
    return count > 0 ? [t(`helpDesk:counted.${thing}`, { count })] : [];
  });
  const name = t(`helpDesk:acts.${act}.name`);
  return (
    <Outcome>
      <Alert kind={outcome === "done" || outcome === "asked" ? "success" : "info"}>
        <p className="font-semibold">
          {outcome === "done"
            ? t(`helpDesk:acts.${act}.done`)
            : t(`helpDesk:outcome.${outcome}`, { act: name, ...WAIT })}
        </p>
        {items.length > 0 && <BulletList items={items} />}
      </Alert>
    </Outcome>
  );
}

/** The acts that can change something: harmless acts first, then acts that could let an attacker in. */
function ActLinks({ overview, requests }: Pick<ShownCustomer, "overview" | "requests">) {
  const t = useTexts();
  const state = overview.account === null ? undefined : overview.state;
  const offered = ACT_NAMES.filter(
    (name) => isOffered(name, overview) && !requests.some(({ act }) => act === name),
  );
  const grave = offered.filter((name) => isGrave(name, state));
  return (
    <Section header={t("helpDesk:customer.acts")}>
      <LinkedActs names={offered.filter((name) => !isGrave(name, state))} />
      {grave.length > 0 && (
        <>
          <h3 className="mt-3 font-semibold">{t("helpDesk:customer.graveActs")}</h3>
          <LinkedActs names={grave} />
        </>
      )}
    </Section>
  );
}

function LinkedActs({ names }: { readonly names: readonly ActName[] }) {
  const t = useTexts();
  return (
    <ul className="flex flex-wrap">
      {names.map((name) => (
        <li key={name} className="mr-6">
          <PlainLink href={actPath(name)}>{t(`helpDesk:acts.${name}.name`)}</PlainLink>
        </li>
      ))}
    </ul>
  );
}

/** Without an account there are only the caps to reset. */
function isOffered(name: ActName, overview: ShownCustomer["overview"]): boolean {
  if (overview.account === null) return name === "reset-caps" && overview.usedUpCaps.length > 0;
  return actOf(name).applies?.(overview) ?? true;
}
