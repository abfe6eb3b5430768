import { redirect } from "@remix-run/node";
import { readPlainLine } from "~/contract/announcements.server";
import type { Translate } from "~/i18n/texts.server";
import { clockTimeInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import {
  findCustomers,
  holdsPersonalNumber,
  MOST_FOUND,
  spendStaffBudgets,
  waitingRequests,
} from "~/backend/index.server";
import type { FoundCustomer, Sought } from "~/backend/types";
import { SECOND } from "~/platform/time.server";
import { Alert } from "~/ui/alert";
import { BulletList } from "~/ui/bullet-list";
import { Button, PlainButtonLink } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { PageHeading } from "~/ui/page-layout";
import type { Fact } from "~/ui/policy-card";
import { TextField } from "~/ui/text-field";
import { PlainLink } from "~/ui/text-link";
import { CUSTOMER, WAITING } from "./addresses";
import { HELP_DESK, messagePage, Outcome, OUTCOME } from "./page";
import type { StaffPage, StaffScreen, StaffVisit } from "./screen";
import { openField, sealField } from "./sealed-fields.server";
import { choose } from "./session.server";
import { staffSource } from "./staff-source.server";

/** The searchable values. A caller says one of them, and staff need not choose its kind. */
const SOUGHT: readonly Sought["by"][] = ["username", "policyNo", "pid", "phone", "email"];

/** The longest value: an e-mail address (RFC 5321). */
const VALUE_LENGTH = { max: 254 } as const;

const REASON_LENGTH = { min: 3, max: 200 } as const;

/** Finds a customer by a whole value. By POST, so that the value is in no address. */
export const findScreen: StaffScreen = {
  path: HELP_DESK,
  role: "look",
  get: (visit) => findPage(visit, { typed: { value: "", reason: visit.interrupted?.reason ?? "" } }),
  reasonIn: (form) => {
    const read = readReason(form.get("reason") ?? "");
    return read.ok ? read.reason : undefined;
  },
  post: async (visit, form) => {
    const typed = { value: form.get("value") ?? "", reason: form.get("reason") ?? "" };
    if (!form.has("hit")) return find(visit, typed);
    const hit = await openField(visit, "hit", form);
    return hit ? openCustomer(visit, hit.customerId, hit.reason) : redirect(HELP_DESK, 303);
  },
};

interface Typed {
  readonly value: string;
  readonly reason: string;
}

type Fault = "value" | "valueLong" | "reasonLength" | "reasonPersonal";

async function find(visit: StaffVisit, typed: Typed): Promise<StaffPage | Response> {
  const value = readPlainLine(typed.value, VALUE_LENGTH.max);
  const why = readReason(typed.reason);
  const faults: Fault[] = [
    ...(value === undefined ? [typed.value.trim() === "" ? ("value" as const) : ("valueLong" as const)] : []),
    ...(why.ok ? [] : [why.why]),
  ];
  if (value === undefined || !why.ok) return findPage(visit, { typed, faults });
  const { reason } = why;
  const wait = await spend(visit, reason, { spend: ["finds"], check: ["misses"] });
  if (wait !== undefined) return tooManyPage(visit, wait);
  const found = await findCustomers(
    visit.desk,
    staffSource(visit, reason),
    ...SOUGHT.map((by) => ({ by, value })),
  );
  if (found.kind !== "found") return findPage(visit, { typed, outcome: "too-many" });
  const [only, ...others] = found.customers;
  if (!only) {
    const full = await spend(visit, reason, { spend: ["misses"] });
    return full === undefined ? findPage(visit, { typed, outcome: "none" }) : tooManyPage(visit, full);
  }
  if (others.length === 0) return openCustomer(visit, only.customer, reason);
  const hits = await Promise.all(
    found.customers.map(async (customer) => ({
      customer,
      hit: await sealField(visit, "hit", { customerId: customer.customer, reason }),
    })),
  );
  // It may be a PESEL or a phone number, so the next page must not show it.
  return findPage(visit, { typed: { ...typed, value: "" }, hits });
}

/** Opens a customer for the pages that follow, if the person has not opened too many. */
async function openCustomer(
  visit: StaffVisit,
  customerId: string,
  reason: string,
): Promise<StaffPage | Response> {
  const wait = await spend(visit, reason, { spend: ["looks"] });
  if (wait !== undefined) return tooManyPage(visit, wait);
  const cookie = await choose(visit, { customerId, reason });
  return redirect(CUSTOMER, { status: 303, headers: { "Set-Cookie": cookie } });
}

/** Spends rate limits of this member of staff. @returns after how many seconds to retry; undefined if there is room */
function spend(
  visit: StaffVisit,
  reason: string,
  budgets: Parameters<typeof spendStaffBudgets>[2],
): Promise<number | undefined> {
  return spendStaffBudgets(visit.desk, visit.staff.sub, budgets, (full) =>
    staffSource(visit, `too many ${full}: ${reason}`),
  );
}

function tooManyPage({ t, desk }: StaffVisit, seconds: number): StaffPage {
  const time = clockTimeInPoland(t, desk.clock() + seconds * SECOND);
  const page = messagePage(
    429,
    t("helpDesk:tooMany.header"),
    <>
      <p className="text-lg text-muted">{t("helpDesk:tooMany.text", { time })}</p>
      <p>
        <PlainButtonLink href={HELP_DESK}>{t("staff:problem.home")}</PlainButtonLink>
      </p>
    </>,
  );
  return { ...page, headers: { "Retry-After": String(seconds) } };
}

interface Hit {
  readonly customer: FoundCustomer;
  /** The sealed field that chooses them. */
  readonly hit: string;
}

interface FindPageProps {
  readonly typed?: Typed;
  readonly faults?: readonly Fault[];
  readonly outcome?: "none" | "too-many";
  readonly hits?: readonly Hit[];
}

async function findPage({ t, staff, desk }: StaffVisit, props: FindPageProps): Promise<StaffPage> {
  const isRefused = (props.faults ?? []).length > 0;
  const title = t("helpDesk:find.title");
  const waits = staff.mayAct && desk.settings.HELP_DESK_APPROVAL === "on";
  const waiting = waits ? await waitingRequests(desk) : undefined;
  return {
    status: isRefused ? 400 : 200,
    title: isRefused ? t("common:app.titleError", { title }) : title,
    body: <Find {...props} waiting={waiting?.length} />,
  };
}

interface FindProps extends FindPageProps {
  /** How many acts wait for a second person; undefined if none can, or not for this one. */
  readonly waiting: number | undefined;
}

function Find({ typed, faults = [], outcome, hits, waiting }: FindProps) {
  const t = useTexts();
  const error = (field: "value" | "reason") => {
    const fault = faults.find((one) => one.startsWith(field));
    return (
      fault && {
        id: `${field}-error`,
        text: t(`helpDesk:find.fault.${fault}`, field === "value" ? VALUE_LENGTH : REASON_LENGTH),
      }
    );
  };
  const items = (["value", "reason"] as const).flatMap((field) => {
    const shown = error(field);
    return shown ? [{ href: `#${field}`, text: shown.text }] : [];
  });
  const only = items.length === 1 ? items[0] : undefined;
  return (
    <div className="page-grid flex-1 py-6 md:py-10">
      {(items.length > 0 || outcome || hits) && (
        <Outcome>
          {items.length > 0 && (
            <ErrorSummary
              id="faults"
              title={only ? only.text : t("validation:summary.title", { count: items.length })}
              word={t("common:a11y.error")}
              items={items}
            />
          )}
          {outcome === "too-many" && (
            <Alert kind="warning">{t("helpDesk:find.tooMany", { most: MOST_FOUND })}</Alert>
          )}
          {outcome === "none" && <NoCustomerFound />}
          {hits && <Hits hits={hits} />}
        </Outcome>
      )}
      <div className="max-w-card">
        <PageHeading header={t("helpDesk:find.header")}>{t("helpDesk:find.lead")}</PageHeading>
        <form method="post" action={`${HELP_DESK}#${OUTCOME}`} className="mt-6 space-y-6" noValidate>
          <TextField
            id="value"
            name="value"
            label={t("helpDesk:find.value")}
            hint={t("helpDesk:find.valueHint")}
            defaultValue={typed?.value}
            error={error("value")}
            aria-invalid={error("value") && true}
            aria-describedby={error("value") && "value-error"}
            maxLength={VALUE_LENGTH.max}
            required
            autoComplete="off"
            spellCheck={false}
            autoCapitalize="none"
          />
          <TextField
            id="reason"
            name="reason"
            label={t("helpDesk:find.reason")}
            hint={t("helpDesk:find.reasonHint", REASON_LENGTH)}
            defaultValue={typed?.reason}
            error={error("reason")}
            aria-invalid={error("reason") && true}
            aria-describedby={error("reason") && "reason-error"}
            maxLength={REASON_LENGTH.max}
            required
            autoComplete="off"
          />
          <Button type="submit">{t("helpDesk:find.submit")}</Button>
        </form>
        {waiting !== undefined && (
          <p className="mt-6">
            <PlainLink href={WAITING}>{t("helpDesk:waiting.link", { number: waiting })}</PlainLink>
          </p>
        )}
      </div>
    </div>
  );
}

function NoCustomerFound() {
  const t = useTexts();
  return (
    <Alert kind="warning">
      <p className="font-semibold">{t("helpDesk:find.none")}</p>
      <div className="mt-2">
        <BulletList
          items={[
            t("helpDesk:find.causeWhole"),
            t("helpDesk:find.causeSpelling"),
            t("helpDesk:find.causeInsurer"),
            t("helpDesk:find.causeErased"),
          ]}
        />
      </div>
    </Alert>
  );
}

function Hits({ hits }: { readonly hits: readonly Hit[] }) {
  const t = useTexts();
  return (
    <section>
      <h2 className="text-xl">{t("helpDesk:find.several", { count: hits.length })}</h2>
      <ul className="mt-3 divide-y divide-line rounded-card border border-line bg-card">
        {hits.map(({ customer, hit }) => (
          <li key={customer.customer} className="px-5 py-3 sm:flex sm:items-center sm:justify-between">
            <p className="min-w-0">
              <span className="font-semibold">{customer.name}</span>, <Described {...customer} />
            </p>
            <form method="post" action={HELP_DESK} className="mt-2 sm:ml-4 sm:mt-0">
              <input type="hidden" name="hit" value={hit} />
              <Button type="submit" variant="secondary">
                {t("helpDesk:find.open")}
                <span className="sr-only">: {customer.name}</span>
              </Button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Facts that distinguish customers: kind, birth year, policies. */
export function Described({
  customerKind,
  birthYear,
  policies,
}: Pick<FoundCustomer, "customerKind" | "birthYear" | "policies">) {
  const t = useTexts();
  const facts = [
    t(`helpDesk:kind.${customerKind}`),
    ...(birthYear === null ? [] : [t("helpDesk:born", { year: birthYear })]),
    policies.length === 0 ? t("helpDesk:noPolicies") : t("helpDesk:policies", { list: policies.join(", ") }),
  ];
  return <>{facts.join("; ")}</>;
}

/** Reads the reason for opening a customer, for the audit. */
function readReason(
  typed: string,
):
  | { readonly ok: true; readonly reason: string }
  | { readonly ok: false; readonly why: "reasonLength" | "reasonPersonal" } {
  const reason = readPlainLine(typed, REASON_LENGTH.max);
  if (reason === undefined || [...reason].length < REASON_LENGTH.min)
    return { ok: false, why: "reasonLength" };
  return holdsPersonalNumber(reason) ? { ok: false, why: "reasonPersonal" } : { ok: true, reason };
}

/** The customer whom an act is about, among its facts. */
export function customerFact(t: Translate, customer: FoundCustomer): Fact {
  const value = (
    <>
      {customer.name}, <Described {...customer} />
    </>
  );
  return { term: t("helpDesk:act.customer"), value };
}
