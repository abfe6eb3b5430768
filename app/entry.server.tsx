import type { IncomingMessage } from "node:http";
import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToStaticMarkup } from "react-dom/server";
import { answerAlive, isAskedIfAlive } from "~/front-door/alive.server";
import { appAnswerer } from "~/front-door/answer-from-app.server";
import { contextOf, type RouteArgs } from "~/front-door/context.server";
import { loadRoutePatterns, recordAnswer } from "~/front-door/record-answer.server";
import { recordRefusedConnection } from "~/front-door/record-refused-connection.server";
import { recordRejection } from "~/front-door/record-rejection.server";
import { recordUntrustedForward } from "~/front-door/record-untrusted-forward.server";
import { brand, demoBrandProblems, helplinePhone } from "~/platform/config/brand.server";
import { environment } from "~/platform/config/environment.server";
import { sendsNotices } from "~/platform/config/sms-variables.server";
import { failStartup } from "~/platform/lifecycle/fail-startup.server";
import { log } from "~/platform/telemetry/log.server";
import { refuseToStartWithoutAddress } from "~/platform/lifecycle/listen-failure.server";
import { reportToServiceManager } from "~/platform/lifecycle/service-manager.server";
import { openMetricsPort } from "~/platform/telemetry/metrics-port.server";
import { silenceRemixServe } from "~/platform/telemetry/remix-serve-log.server";
import { KeptPages } from "~/shell/kept-pages.server";
import { PageFiles } from "~/shell/page-files";
import { PROBLEM_STATUSES } from "~/shell/problem.server";
import { staticPage } from "~/shell/static-page.server";
import { pageCsp, stylesheetBytes } from "~/shell/stylesheet.server";
import { callAnswerer } from "~/visit/backend-client/answer-call.server";
import { connectGauges } from "~/visit/backend-client/connect-gauges.server";
import { openBackendAtStart, provideBackendTexts } from "~/visit/backend-client/embedded.server";
import { cookieName } from "~/visit/cookies.server";
import { mountFrontDoor } from "./front-door/mount.server";
import { filesIn } from "./front-door/files.server";
import { confirmationTexts } from "./i18n/confirmation-texts.server";
import { noticeTexts, smsFaults, smsTexts } from "./i18n/sms-texts.server";
import { KEPT_SCREENS } from "./journeys/kept-screens";

const { PUBLIC_ORIGIN, BACKEND_URL, BACKEND_HOSTS, TRUSTED_PROXIES, HOST, PORT, limits } = environment();
const demoBrand = demoBrandProblems();
if (demoBrand.length > 0) failStartup(demoBrand);

/** How slowly a customer may read a document. */
const readLimits = {
  bytesPerSecond: limits.DOCUMENT_BYTES_PER_SECOND,
  behindMs: limits.DOCUMENT_BEHIND_MS,
};
/** Answers a request with the app. A development server calls it, too. */
export const answerFromApp = appAnswerer(readLimits, reportUnanswered);
const keptPages = new KeptPages(KEPT_SCREENS);

mountFrontDoor({
  publicOrigin: PUBLIC_ORIGIN,
  backendHosts: BACKEND_HOSTS,
  trustedProxies: TRUSTED_PROXIES,
  limits,
  port: PORT,
  languageCookie: cookieName("language"),
  // A development server's pages change with each edit.
  answerers: import.meta.env.DEV
    ? undefined
    : {
        answerCall: callAnswerer(readLimits, reportUnanswered),
        answerFromMemory: (request, response) =>
          answerAlive(request, response) || keptPages.answer(request, response),
        answerFromApp,
        files: filesIn("build/client", "public"),
      },
  onRejected: recordRejection,
  onConnectionRefused: recordRefusedConnection,
  onUntrustedForward: recordUntrustedForward,
  // nginx asks as often as customers do; counted, it would hide how they fare.
  onAnswered: (answer) => {
    if (!isAskedIfAlive(answer.target)) recordAnswer(answer);
  },
});
silenceRemixServe();
void loadRoutePatterns();
if (BACKEND_URL === undefined) {
  const host = PUBLIC_ORIGIN === undefined ? undefined : new URL(PUBLIC_ORIGIN).hostname;
  const helpline = sendsNotices(environment()) ? helplinePhone(brand().phones) : undefined;
  const faults = smsFaults(brand().smsName, { host, helpline });
  if (faults.length > 0) failStartup(faults);
}
provideBackendTexts({
  smsTexts: smsTexts(brand().smsName),
  noticeTexts: noticeTexts(brand().smsName, helplinePhone(brand().phones)),
  confirmationTexts: confirmationTexts(brand()),
});
connectGauges();
if (!import.meta.env.DEV) await refuseToStartWithoutAddress(HOST, PORT);
reportToServiceManager();
await openMetricsPort();
await openBackendAtStart();

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  context: AppLoadContext,
) {
  const { errors, loaderData, actionHeaders, loaderHeaders } = remixContext.staticHandlerContext;
  headers.set("Content-Type", "text/html; charset=utf-8");
  keepStatusHeaders(headers, [...Object.values(loaderHeaders), ...Object.values(actionHeaders)]);
  // After an error in an action Remix doesn't run the root loader, so there is no layout to put around the page.
  if (errors && !loaderData["root"]) return plainProblem({ request, context }, status, headers);
  try {
    const html = render(remixContext, request.url);
    headers.set("Content-Security-Policy", pageCsp());
    if (!context.page) return new Response(html, { status, headers });
    context.page.bytes = html;
    return new Response(null, { status, headers });
  } catch (error) {
    reportFailure(context, error);
    return await plainProblem({ request, context }, 500, headers);
  }
}

/**
 * Keeps the headers of a 405, 429, 503 or refused form, which Remix would drop unless every matched route exported
 * `headers`.
 */
function keepStatusHeaders(headers: Headers, sources: readonly Headers[]): void {
  for (const name of ["Allow", "Cache-Control", "Retry-After"]) {
    for (const source of sources) if (source.has(name)) headers.set(name, source.get(name) ?? "");
  }
}

async function plainProblem(args: RouteArgs, status: number, headers: Headers): Promise<Response> {
  const known = PROBLEM_STATUSES.find((candidate) => candidate === status) ?? 500;
  headers.set("Content-Security-Policy", pageCsp());
  return new Response(await staticPage(args, known), { status: known, headers });
}

/** Logs uncaught errors, but not when the visitor has left, nor the router's own 404. */
export function handleError(
  error: unknown,
  { request, context }: LoaderFunctionArgs | ActionFunctionArgs,
): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  reportFailure(context, error);
}

function reportFailure({ incoming: { requestId } }: AppLoadContext, error: unknown): void {
  log().error({ requestId, err: error }, "unexpected failure");
}

/** Logs what neither Remix nor the backend has answered; the visitor gets a bare 500. */
function reportUnanswered(request: IncomingMessage, error: unknown): void {
  reportFailure({ incoming: contextOf(request) }, error);
}

/** Renders the whole page at once, as HTML that no script takes over (docs/decisions/no-hydration.md). */
function render(context: EntryContext, url: string): Uint8Array<ArrayBuffer> {
  // Left out: the page's data a second time, for hydration.
  const { serverHandoffStream, ...shown } = context;
  const page = (
    <PageFiles.Provider
      value={{ css: STYLE_MARK, script: context.manifest.entry.module, failed: hasFailed(context) }}
    >
      <RemixServer context={shown} url={url} />
    </PageFiles.Provider>
  );
  return withStylesheet(`<!DOCTYPE html>${renderToStaticMarkup(page)}`);
}

/** Whether a form was refused, or a loader or an action threw. */
function hasFailed({ staticHandlerContext: { actionData, errors } }: EntryContext): boolean {
  return errors !== null || Object.values(actionData ?? {}).some((data) => data !== undefined);
}

/** Stands for the stylesheet while a page is rendered. Nothing shown can look like it: React escapes its "<". */
const STYLE_MARK = "<stylesheet>";

/** Puts the stylesheet, most of a page's bytes, in unchanged. */
function withStylesheet(page: string): Uint8Array<ArrayBuffer> {
  const [head = "", ...rest] = page.split(STYLE_MARK);
  return Buffer.concat([Buffer.from(head), ...rest.flatMap((part) => [stylesheetBytes, Buffer.from(part)])]);
}
