import { redirect } from "@remix-run/node";
import { audit } from "~/backend/audit-event.server";
import { timeInPoland } from "~/i18n/times.server";
import { MINUTE } from "~/platform/time.server";
import { Button, PlainButtonLink } from "~/ui/button";
import { localPath } from "~/visit/browser.server";
import { contentOf, cookieLine, sealedLine } from "./cookies.server";
import { type Issuer, SIGN_ON_ANSWER, SIGNED_OUT } from "./issuer.server";
import { HELP_DESK, messagePage, SIGN_OUT } from "./page";
import { auditRefusal } from "./refusal.server";
import type { Staff, StaffPage, StaffVisit } from "./screen";
import { sessionLine, SIGN_ON, toSignOn } from "./session.server";
import { staffSource } from "./staff-source.server";

/** How long a sign-on may take at the issuer. */
const ATTEMPT_MS = 10 * MINUTE;
/** The page to return to, and whether the proof must be new. */
const BACK = "back";
const FRESH = "fresh";
/** A cookie holds the page to return to; none of the help desk's addresses is that long. */
const LONGEST_BACK = 200;

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

/** Signs staff on and out. By address; undefined for any other address. */
export function answerSignOn(visit: SignOnVisit): Promise<StaffPage | Response> | undefined {
  const isPost = visit.request.method === "POST";
  switch (visit.url.pathname) {
    case SIGN_ON:
      return isPost && visit.issuer === undefined ? signOnAsInvented(visit) : beginSignOn(visit);
    case SIGN_ON_ANSWER:
      return endSignOn(visit);
    case SIGN_OUT:
      return isPost ? signOut(visit) : Promise.resolve(redirect(HELP_DESK, 303));
    case SIGNED_OUT:
      return Promise.resolve(signedOutPage(visit));
    default:
      return undefined;
  }
}

async function beginSignOn({ desk, issuer, url, t }: SignOnVisit): Promise<StaffPage | Response> {
  const back = pageToReturnTo(url);
  if (issuer === undefined) return demoPage(t, back);
  const maxAge = url.searchParams.has(FRESH)
    ? (desk.settings.HELP_DESK_FRESH_MINUTES * MINUTE) / 1000
    : undefined;
  const begun = await issuer.begin(back, maxAge);
  if (begun === undefined) return unreachablePage(t, back);
  const line = await sealedLine(desk.keys, "sign-on", begun.attempt, desk.clock() + ATTEMPT_MS);
  return redirect(begun.address, { status: 303, headers: { "Set-Cookie": line } });
}

async function endSignOn(visit: SignOnVisit): Promise<StaffPage | Response> {
  const { desk, issuer, request, url, incoming, t } = visit;
  const attempt = await contentOf(request, desk.keys, "sign-on");
  if (issuer === undefined) return toSignOn(HELP_DESK);
  const answer = await issuer.answer(attempt, url.search);
  const back = attempt?.back ?? HELP_DESK;
  switch (answer.kind) {
    case "unreachable":
      return unreachablePage(t, back);
    case "refused":
      desk.log.warn(
        { event: "staff-refused", reason: answer.fault, requestId: incoming.requestId },
        "sign-on refused",
      );
      return refusedPage(visit, back);
    case "no-role":
      desk.log.warn(
        { event: "staff-refused", reason: "no-role", requestId: incoming.requestId },
        "sign-on refused",
      );
      await desk.store.write((tx) => auditRefusal(tx, { ...visit, staff: answer.person }, "no role"));
      return noRolePage(visit, answer.person.name);
    case "signed-on":
      return signedOn(visit, answer.staff, back);
  }
}

/** Only in a demo without an issuer (`answerSignOn`). */
async function signOnAsInvented(visit: SignOnVisit): Promise<StaffPage | Response> {
  const form = new URLSearchParams(await visit.request.text());
  const person = DEMO_STAFF.get(form.get("person") ?? "");
  if (person === undefined) return toSignOn(HELP_DESK);
  return signedOn(visit, { ...person, signedOnAt: visit.desk.clock() }, pageToReturnTo(visit.url));
}

async function signedOn(visit: SignOnVisit, staff: Staff, back: string): Promise<Response> {
  const { desk } = visit;
  const source = staffSource({ ...visit, staff }, staff.mayAct ? "may act" : "may look");
  await desk.store.write((tx) => audit(tx, source, desk.clock(), { event: "staff-signed-on" }));
  const headers = new Headers();
  headers.append("Set-Cookie", await sessionLine(desk, { staff, begunAt: desk.clock() }));
  headers.append("Set-Cookie", cookieLine(desk.keys, "sign-on", ""));
  return redirect(back, { status: 303, headers });
}

/** Ends the session here, and at the issuer if it lets us ask. */
async function signOut({ desk, issuer }: SignOnVisit): Promise<Response> {
  const headers = new Headers({ "Clear-Site-Data": '"cache", "storage"' });
  for (const cookie of ["session", "chosen", "sign-on"] as const)
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

function unreachablePage(t: Texts, back: string): StaffPage {
  return messagePage(
    503,
    t("staff:signOn.unreachableHeader"),
    <>
      <p className="text-lg text-muted">{t("staff:signOn.unreachableText")}</p>
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
