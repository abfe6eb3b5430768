import { redirect } from "@remix-run/node";
import { timeInPoland } from "~/i18n/times.server";
import type { IssuerFault } from "~/platform/network/issuer.server";
import { counter } from "~/platform/telemetry/metrics.server";
import { MINUTE } from "~/platform/time.server";
import { Button, PlainButtonLink } from "~/ui/button";
import { localPath, readPosted } from "~/visit/browser.server";
import { contentOf, cookieLine, sealedLine } from "./cookies.server";
import { type Issuer, CALLBACK_PATH, SIGNED_OUT } from "./issuer.server";
import { HELP_DESK, messagePage, SIGN_OUT } from "./page";
import { auditStaffRefusal, auditStaffSignOn } from "~/backend/index.server";
import type { Staff, StaffPage, StaffVisit } from "./screen";
import { sessionLine, sessionOf, SIGN_ON, toSignOn } from "./session.server";
import { staffSource } from "./staff-source.server";

/** How long a sign-on may take at the issuer. */
const ATTEMPT_MS = 10 * MINUTE;
/** The page to return to, and whether the proof must be new. */
const BACK = "back";
const FRESH = "fresh";
/** A cookie holds the page to return to; none of the help desk's addresses is that long. */
const LONGEST_BACK = 200;

const signOns = counter(
  { name: "portal_help_desk_sign_ons_total", help: "Sign-ons of staff at the issuer, by result" },
  { result: ["signed-on", "no-role", "refused", "unreachable", "unusable"] },
);

/** A request at one of the addresses around a session. */
export interface SignOnVisit extends Omit<StaffVisit, "staff" | "chosen"> {
  /** Undefined in a demo without one. */
  readonly issuer: Issuer | undefined;
}

/** The people who can sign on in a demo without an issuer. */
const DEMO_STAFF: ReadonlyMap<string, Pick<Staff, "sub" | "name" | "mayAct">> = new Map([
  ["ola", { sub: "demo-ola", name: "Ola", mayAct: false }],
  ["piotr", { sub: "demo-piotr", name: "Piotr", mayAct: true }],
]);

/** Handles the addresses of sign-on and sign-out; undefined for any other address. */
export function handleSignOn(visit: SignOnVisit): Promise<StaffPage | Response> | undefined {
  const isPost = visit.request.method === "POST";
  switch (visit.url.pathname) {
    case SIGN_ON:
      return isPost && visit.issuer === undefined ? signOnAsInvented(visit) : beginSignOn(visit);
    case CALLBACK_PATH:
      return endSignOn(visit);
    case SIGN_OUT:
      return isPost ? signOut(visit) : Promise.resolve(redirect(HELP_DESK, 303));
    case SIGNED_OUT:
      return Promise.resolve(signedOutPage(visit));
    default:
      return undefined;
  }
}

async function beginSignOn(visit: SignOnVisit): Promise<StaffPage | Response> {
  const { desk, issuer, url, t } = visit;
  const back = pageToReturnTo(url);
  if (issuer === undefined) return demoPage(t, back);
  const maxAge = url.searchParams.has(FRESH)
    ? (desk.settings.HELP_DESK_FRESH_MINUTES * MINUTE) / 1000
    : undefined;
  return goToIssuer(visit, issuer, { back, maxAge });
}

async function goToIssuer(
  { desk, t }: SignOnVisit,
  issuer: Issuer,
  { back, maxAge, isAgain = false }: { back: string; maxAge: number | undefined; isAgain?: boolean },
): Promise<StaffPage | Response> {
  const begun = await issuer.begin(back, maxAge, isAgain);
  if ("kind" in begun) return noIssuerPage(t, back, begun.kind);
  const line = await sealedLine(desk.keys, "sign-on", begun.attempt, desk.clock() + ATTEMPT_MS);
  return redirect(begun.address, { status: 303, headers: { "Set-Cookie": line } });
}

async function endSignOn(visit: SignOnVisit): Promise<StaffPage | Response> {
  const { desk, issuer, request, url, t } = visit;
  const attempt = await contentOf(request, desk.keys, "sign-on");
  if (issuer === undefined) return toSignOn(HELP_DESK);
  const result = await issuer.finish(attempt, url.search);
  const back = attempt?.back ?? HELP_DESK;
  switch (result.kind) {
    case "unreachable":
    case "unusable":
      return noIssuerPage(t, back, result.kind);
    case "stale":
      // Two tabs have started a sign-on each, the callback was opened again, or another site sent the browser here.
      // With a maximum age, an old session must not pass: a grave act would ask for a new sign-on, without end.
      if (attempt?.maxAge === undefined && (await sessionOf(request, desk))) return redirect(back, 303);
      if (attempt && attempt.isAgain !== true)
        return goToIssuer(visit, issuer, { back, maxAge: attempt.maxAge, isAgain: true });
      return refuse(visit, result, back);
    case "refused":
      return refuse(visit, result, back);
    case "no-role":
      signOns.inc({ result: "no-role" });
      logRefusal(visit, result.fault);
      await auditStaffRefusal(desk, staffSource({ ...visit, staff: result.person }, "no role"));
      return noRolePage(visit, result.person.name);
    case "signed-on":
      signOns.inc({ result: "signed-on" });
      return signedOn(visit, result.staff, back);
  }
}

function refuse(
  visit: SignOnVisit,
  { fault, advice }: { readonly fault: string; readonly advice?: string },
  back: string,
): StaffPage {
  signOns.inc({ result: "refused" });
  logRefusal(visit, fault, advice);
  return refusedPage(visit, back);
}

function logRefusal({ desk, incoming }: SignOnVisit, reason: string, advice = ""): void {
  const facts = { event: "staff-refused", reason, requestId: incoming.requestId };
  desk.log.warn(facts, `sign-on refused${advice && `: ${advice}`}`);
}

/** Only in a demo without an issuer (`handleSignOn`). */
async function signOnAsInvented(visit: SignOnVisit): Promise<StaffPage | Response> {
  const form = await readPosted(visit.request, visit.desk.limits.FORM_BODY_BYTES);
  const person = DEMO_STAFF.get(form.get("person") ?? "");
  if (person === undefined) return toSignOn(HELP_DESK);
  return signedOn(visit, { ...person, signedOnAt: visit.desk.clock() }, pageToReturnTo(visit.url));
}

async function signedOn(visit: SignOnVisit, staff: Staff, back: string): Promise<Response> {
  const { desk } = visit;
  const source = staffSource({ ...visit, staff }, staff.mayAct ? "may act" : "may look");
  await auditStaffSignOn(desk, source);
  const headers = new Headers();
  headers.append("Set-Cookie", await sessionLine(desk, { staff, begunAt: desk.clock() }));
  headers.append("Set-Cookie", cookieLine(desk.keys, "sign-on", ""));
  return redirect(back, { status: 303, headers });
}

/** Ends the session here, and at the issuer if it lets us ask. */
async function signOut({ desk, issuer }: SignOnVisit): Promise<Response> {
  const headers = new Headers({ "Clear-Site-Data": '"cache", "storage"' });
  for (const cookie of ["session", "chosen", "sign-on", "interrupted"] as const)
    headers.append("Set-Cookie", cookieLine(desk.keys, cookie, ""));
  return redirect((await issuer?.signOutAddress()) ?? SIGNED_OUT, { status: 303, headers });
}

/** A page of the help desk that a redirect may lead to, never one that signs on or out. */
function pageToReturnTo({ searchParams }: URL): string {
  const back = localPath(searchParams.get(BACK)) ?? HELP_DESK;
  const isPage = back.length <= LONGEST_BACK && (back === HELP_DESK || back.startsWith(`${HELP_DESK}/`));
  return isPage && !/^\/help-desk\/(?:sign|language\/)/.test(back) ? back : HELP_DESK;
}

type Texts = SignOnVisit["t"];

function demoPage(t: Texts, back: string): StaffPage {
  return {
    ...messagePage(
      200,
      t("staff:signOn.demoHeader"),
      <>
        <p className="text-lg text-muted">{t("staff:signOn.demoText")}</p>
        <form method="post" action={`${SIGN_ON}?${new URLSearchParams({ back })}`} className="space-y-3">
          <p>
            <Button type="submit" name="person" value="ola">
              {t("staff:signOn.demoLook")}
            </Button>
          </p>
          <p>
            <Button type="submit" name="person" value="piotr">
              {t("staff:signOn.demoAct")}
            </Button>
          </p>
        </form>
      </>,
    ),
    title: t("staff:signOn.title"),
  };
}

function noIssuerPage(t: Texts, back: string, fault: IssuerFault["kind"]): StaffPage {
  signOns.inc({ result: fault });
  return messagePage(
    503,
    t(`staff:signOn.${fault}Header`),
    <>
      <p className="text-lg text-muted">{t(`staff:signOn.${fault}Text`)}</p>
      <SignOnAgain t={t} back={back} />
    </>,
  );
}

function refusedPage({ t, incoming, desk }: SignOnVisit, back: string): StaffPage {
  return messagePage(
    400,
    t("staff:signOn.refusedHeader"),
    <>
      <p className="text-lg text-muted">{t("staff:signOn.refusedText")}</p>
      <SignOnAgain t={t} back={back} />
      <p className="text-sm text-muted">
        {t("staff:problem.ref", { id: incoming.requestId, time: timeInPoland(t, desk.clock()) })}
      </p>
    </>,
  );
}

function noRolePage({ t, desk }: SignOnVisit, name: string): StaffPage {
  const { HELP_DESK_ACT: act, HELP_DESK_LOOK: look } = desk.settings;
  return messagePage(
    403,
    t("staff:signOn.noRoleHeader"),
    <>
      <p className="break-words text-lg text-muted">{t("staff:signOn.noRoleText", { name, act, look })}</p>
      <SignOnAgain t={t} back={HELP_DESK} />
    </>,
  );
}

function signedOutPage({ t }: SignOnVisit): StaffPage {
  return messagePage(
    200,
    t("staff:signedOut.header"),
    <>
      <p className="text-lg text-muted">{t("staff:signedOut.text")}</p>
      <SignOnAgain t={t} back={HELP_DESK} />
    </>,
  );
}

function SignOnAgain({ t, back }: { readonly t: Texts; readonly back: string }) {
  return (
    <p>
      <PlainButtonLink href={`${SIGN_ON}?${new URLSearchParams({ back })}`}>
        {t("staff:signOn.again")}
      </PlainButtonLink>
    </p>
  );
}
