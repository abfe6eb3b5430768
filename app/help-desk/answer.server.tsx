import { redirect } from "@remix-run/node";
import { auditStaffRefusal, DatabaseUnavailable, requireTables } from "~/backend/index.server";
import type { RequestContext } from "~/server/front-door/context.server";
import { reportFailure } from "~/server/front-door/record.server";
import { DEFAULT_LANGUAGE } from "~/i18n/languages";
import { textsIn } from "~/i18n/texts.server";
import { timeInPoland } from "~/i18n/times.server";
import { isStopping, withTimeout } from "~/platform/lifecycle/process.server";
import { levels } from "~/platform/telemetry/metrics.server";
import { problemOf, type ProblemStatus } from "~/shell/problem";
import { PlainButtonLink } from "~/ui/button";
import { asLanguage, localPath, readPosted } from "~/visit/browser.server";
import { cookieLine, cookieOf, contentOf } from "./cookies.server";
import { Issuer, CALLBACK_PATH, SIGNED_OUT } from "./issuer.server";
import { CUSTOMER } from "./addresses";
import { BackLinks, HELP_DESK, messagePage, pageResponse, SIGN_OUT } from "./page";
import type { HelpDesk, PathParameters, StaffPage, StaffScreen } from "./screen";
import {
  interruptedLine,
  interruptedOf,
  SIGN_ON,
  type StaffSession,
  sessionLine,
  sessionOf,
  toSignOn,
} from "./session.server";
import { handleSignOn, type SignOnVisit } from "./sign-on.server";
import { staffSource } from "./staff-source.server";

/** The addresses besides screens and files. */
export const OWN_PATHS: readonly string[] = [
  "/",
  SIGN_ON,
  CALLBACK_PATH,
  SIGN_OUT,
  SIGNED_OUT,
  "/help-desk/language/:code",
  "/healthz",
  "/readyz",
  "/refused/:status",
];
const LANGUAGE = /^\/help-desk\/language\/([a-z]{2})$/;

const readyLevel = levels({
  ready: { name: "portal_help_desk_ready", help: "Whether the help desk's process is ready: 1 or 0" },
});

/** Handles every request for the help desk: its screens, the sign-on around them, and `/readyz`. */
export class HelpDeskApp {
  readonly #desk: HelpDesk;
  readonly #screens: readonly StaffScreen[];
  readonly #issuer: Issuer | undefined;
  #database: { readonly at: number; readonly answers: Promise<boolean> } | undefined;

  constructor(desk: HelpDesk, screens: readonly StaffScreen[]) {
    this.#desk = desk;
    this.#screens = screens;
    const { HELP_DESK_ISSUER } = desk.settings;
    this.#issuer =
      HELP_DESK_ISSUER === undefined ? undefined : new Issuer(desk.settings, desk.clock, desk.log);
    readyLevel.feed(async () => ({ ready: (await this.#hasDatabase()) ? 1 : 0 }));
  }

  async handle(request: Request, incoming: RequestContext): Promise<Response> {
    const language = asLanguage(cookieOf(request, this.#desk.keys, "language")) ?? DEFAULT_LANGUAGE;
    const visit: SignOnVisit = {
      request,
      url: new URL(request.url),
      incoming,
      t: textsIn(language),
      desk: this.#desk,
      issuer: this.#issuer,
    };
    try {
      return await this.#route(visit);
    } catch (error) {
      if (error instanceof Response) return this.#problem(visit, error.status);
      if (!(error instanceof DatabaseUnavailable)) {
        reportFailure(incoming, error);
        return this.#problem(visit, 500);
      }
      this.#desk.log.warn({ requestId: incoming.requestId, err: error }, "database unavailable");
      return this.#problem(visit, 503);
    }
  }

  async #route(visit: SignOnVisit): Promise<Response> {
    const { url, incoming } = visit;
    if (incoming.rejection) return this.#problem(visit, incoming.rejection.status);
    if (url.pathname === "/readyz") return this.#readiness();
    if (url.pathname === "/") return redirect(HELP_DESK, 303);
    const [, language] = LANGUAGE.exec(url.pathname) ?? [];
    if (language !== undefined) return this.#setLanguage(url, language);
    const page = await handleSignOn(visit);
    if (page) return this.#respond(visit, undefined, page);
    const found = this.#find(url.pathname);
    return found ? this.#show(visit, found) : this.#problem(visit, 404);
  }

  #find(path: string): FoundScreen | undefined {
    for (const screen of this.#screens) {
      const params = parametersOf(screen.path, path);
      if (params) return { screen, params };
    }
    return undefined;
  }

  async #show(visit: SignOnVisit, { screen, params }: FoundScreen): Promise<Response> {
    const { request, url } = visit;
    const session = await sessionOf(request, this.#desk);
    const form =
      request.method === "POST" ? await readPosted(request, this.#desk.limits.FORM_BODY_BYTES) : undefined;
    const response = session
      ? await this.#showIn(session, visit, { screen, params }, form)
      : toSignOn(url.pathname);
    if (form && response.headers.get("Location")?.startsWith(SIGN_ON)) {
      const line = await interruptedLine(request, this.#desk, screen.reasonIn?.(form));
      response.headers.append("Set-Cookie", line);
    }
    return response;
  }

  async #showIn(
    session: StaffSession,
    visit: SignOnVisit,
    { screen, params }: FoundScreen,
    form: URLSearchParams | undefined,
  ): Promise<Response> {
    const { request } = visit;
    const { staff } = session;
    const chosen = await contentOf(request, this.#desk.keys, "chosen", staff.sub);
    if (screen.role === "act" && !staff.mayAct) {
      const source = staffSource({ ...visit, staff }, `may only look: ${screen.path}`);
      await auditStaffRefusal(this.#desk, source);
      const back = chosen ? CUSTOMER : HELP_DESK;
      return this.#respond(visit, session, roleMissingPage(visit, back));
    }
    if (form)
      return screen.post
        ? this.#respond(visit, session, await screen.post({ ...visit, staff, chosen }, form, params))
        : this.#problem(visit, 405, session);
    const interrupted = await interruptedOf(request, this.#desk, staff);
    const page = await screen.get({ ...visit, staff, chosen, interrupted }, params);
    const response = await this.#respond(visit, session, page, interrupted !== undefined);
    // The page has shown the interrupted form, or the form is another person's: delete its cookie.
    const mustForget = cookieOf(request, this.#desk.keys, "interrupted") && !(page instanceof Response);
    if (mustForget) response.headers.append("Set-Cookie", cookieLine(this.#desk.keys, "interrupted", ""));
    return response;
  }

  /** Renders a page, and renews the session's cookie. */
  async #respond(
    visit: SignOnVisit,
    session: StaffSession | undefined,
    page: StaffPage | Response,
    isInterrupted = false,
  ): Promise<Response> {
    const response =
      page instanceof Response
        ? page
        : pageResponse(
            {
              t: visit.t,
              staff: session?.staff,
              here: visit.url.pathname.startsWith(SIGN_ON) ? HELP_DESK : visit.url.pathname,
              isInterrupted,
              hidesAddress: visit.url.pathname === CALLBACK_PATH,
              isDemo: this.#desk.settings.PORTAL_MODE === "demo",
              https: this.#desk.keys.https,
              formTargets: this.#issuer?.origins ?? [],
            },
            page,
          );
    if (session) response.headers.append("Set-Cookie", await sessionLine(this.#desk, session));
    return response;
  }

  #problem(visit: SignOnVisit, status: number, session?: StaffSession): Promise<Response> {
    return this.#respond(visit, session, problemPage(visit, problemOf(status)));
  }

  #setLanguage(url: URL, chosen: string): Response {
    const language = asLanguage(chosen);
    const back = localPath(url.searchParams.get("back")) ?? HELP_DESK;
    const line = language && cookieLine(this.#desk.keys, "language", language);
    return redirect(back.startsWith(HELP_DESK) ? back : HELP_DESK, {
      status: 303,
      headers: line === undefined ? {} : { "Set-Cookie": line },
    });
  }

  /** Whether this process can take traffic: 200, or 503 and one word for what is missing. */
  async #readiness(): Promise<Response> {
    const missing = isStopping() ? "stopping" : (await this.#hasDatabase()) ? undefined : "database";
    return new Response(missing === undefined ? "ok\n" : `not ready: ${missing}\n`, {
      status: missing === undefined ? 200 : 503,
      headers: { "Content-Type": "text/plain; charset=utf-8" },
    });
  }

  /** Whether the database answers in time. The answer is reused for a moment, so that requests can't overload it. */
  async #hasDatabase(): Promise<boolean> {
    const { store, limits, clock } = this.#desk;
    if (this.#database === undefined || clock() - this.#database.at >= limits.READY_FRESH_MS) {
      // Reads only. A portal checks by writing, but the role of this process has no right to.
      const check = requireTables(store.read).then(() => true);
      const answers = withTimeout(limits.READY_MS, check).then((inTime) => inTime === true);
      this.#database = { at: clock(), answers: answers.catch(() => false) };
    }
    return this.#database.answers;
  }
}

interface FoundScreen {
  readonly screen: StaffScreen;
  readonly params: PathParameters;
}

/** The values of a pattern's parameters; undefined if the path doesn't match it. */
function parametersOf(pattern: string, path: string): PathParameters | undefined {
  const [expected, found] = [pattern.split("/"), path.split("/")];
  if (expected.length !== found.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of expected.entries()) {
    const value = found[at] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return params;
}

/** The page for staff without the role to act. @param back the page of the customer they have open, or the search */
function roleMissingPage({ t }: SignOnVisit, back: string): StaffPage {
  return messagePage(
    403,
    t("staff:problem.roleHeader"),
    <>
      <p className="text-lg text-muted">{t("staff:problem.role")}</p>
      <BackLinks t={t} back={back} />
    </>,
  );
}

function problemPage({ t, incoming }: SignOnVisit, status: ProblemStatus): StaffPage {
  return messagePage(
    status,
    t(`errors:page.${status}.header`),
    <>
      <p className="text-lg text-muted">{t("staff:problem.text")}</p>
      <p>
        <PlainButtonLink href={HELP_DESK}>{t("staff:problem.home")}</PlainButtonLink>
      </p>
      {status !== 404 && (
        <p className="text-sm text-muted">
          {t("staff:problem.ref", { id: incoming.requestId, time: timeInPoland(t, Date.now()) })}
        </p>
      )}
    </>,
  );
}
