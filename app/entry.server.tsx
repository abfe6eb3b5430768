import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { answerAlive, isAskedIfAlive } from "~/front-door/alive.server";
import { appAnswerer } from "~/front-door/answer-from-app.server";
import { contextOf, type RouteArgs } from "~/front-door/context.server";
import { loadRoutePatterns, recordAnswer } from "~/front-door/record-answer.server";
import { recordRefusedConnection } from "~/front-door/record-refused-connection.server";
import { recordRejection } from "~/front-door/record-rejection.server";
import { recordUntrustedForward } from "~/front-door/record-untrusted-forward.server";
import { newNonce } from "~/front-door/slots.server";
import { brand, demoBrandProblems, helplinePhone } from "~/platform/config/brand.server";
import { environment } from "~/platform/config/environment.server";
import { sendsNotices } from "~/platform/config/sms-variables.server";
import { failStartup } from "~/platform/lifecycle/fail-startup.server";
import { log } from "~/platform/telemetry/log.server";
import { refuseToStartWithoutAddress } from "~/platform/lifecycle/listen-failure.server";
import { reportToServiceManager } from "~/platform/lifecycle/service-manager.server";
import { openMetricsPort } from "~/platform/telemetry/metrics-port.server";
import { silenceRemixServe } from "~/platform/telemetry/remix-serve-log.server";
import { KeptPages } from "~/shell/kept-pages/kept-pages.server";
import { PageStyle } from "~/shell/page-style";
import { PROBLEM_STATUSES } from "~/shell/problem.server";
import { staticPage } from "~/shell/static-page.server";
import { stylesheetBytes, stylesheetHash } from "~/shell/stylesheet.server";
import { callAnswerer } from "~/visit/backend-client/answer-call.server";
import { connectGauges } from "~/visit/backend-client/connect-gauges.server";
import { openBackendAtStart, provideBackendTexts } from "~/visit/backend-client/embedded.server";
import { cookieName, isSecureOrigin } from "~/visit/cookies.server";
import { documentCsp } from "./front-door/headers";
import { mountFrontDoor } from "./front-door/mount.server";
import { filesIn } from "./front-door/files.server";
import { packedFilesIn } from "./front-door/packed-files.server";
import { confirmationTexts } from "./i18n/confirmation-texts.server";
import { noticeTexts, smsFaults, smsTexts } from "./i18n/sms-texts.server";
import { KEPT_SCREENS } from "./journeys/kept-screens";

const { PUBLIC_ORIGIN, BACKEND_URL, BACKEND_HOSTS, TRUSTED_PROXIES, HOST, PORT, limits } = environment();
const demoBrand = demoBrandProblems();
if (demoBrand.length > 0) failStartup(demoBrand);

/** Answers a request with the app. A development server calls it, too. */
export const answerFromApp = appAnswerer(reportUnanswered);
const keptPages = new KeptPages(KEPT_SCREENS);

mountFrontDoor({
  publicOrigin: PUBLIC_ORIGIN,
  backendHosts: BACKEND_HOSTS,
  trustedProxies: TRUSTED_PROXIES,
  limits,
  port: PORT,
  languageCookie: cookieName("language"),
  packedFiles: packedFilesIn("build/client/assets", "/assets/"),
  // A development server's pages change with each edit.
  answerers: import.meta.env.DEV
    ? undefined
    : {
        answerCall: callAnswerer(reportUnanswered),
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
    const nonce = context.incoming.slots?.nonce ?? newNonce();
    const html = await render(remixContext, request.url, nonce);
    headers.set(
      "Content-Security-Policy",
      documentCsp({ nonce, styleHashes: [stylesheetHash], https: isSecureOrigin() }),
    );
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
  const csp = documentCsp({ styleHashes: [stylesheetHash], https: isSecureOrigin() });
  headers.set("Content-Security-Policy", csp);
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

/** Renders the whole page at once: nothing is deferred, and a string costs React much less than a stream. */
async function render(context: EntryContext, url: string, nonce: string): Promise<Uint8Array<ArrayBuffer>> {
  const page = (
    <PageStyle.Provider value={{ css: STYLE_MARK, nonce }}>
      <RemixServer context={await withData(context)} url={url} nonce={nonce} />
    </PageStyle.Provider>
  );
  return finish(`<!DOCTYPE html>${renderToString(page)}`);
}

/** Reads the page's data, which is all there: if Remix read it during the rendering, React would render again. */
async function withData(context: EntryContext): Promise<EntryContext> {
  // Our build makes it a text (vite.cheaper-pages.ts); a development server, a stream.
  const data = context.serverHandoffStream as ReadableStream<Uint8Array> | string | undefined;
  if (data === undefined) return context;
  const result = { done: true, value: typeof data === "string" ? data : await text(data) };
  return {
    ...context,
    serverHandoffStream: READ_ALREADY,
    renderMeta: { streamCache: { 0: Object.assign(Promise.resolve(), { result }) } },
  };
}

/** Remix asks for a reader and, as the data is there, never uses it. */
const READ_ALREADY = { getReader: () => undefined } as unknown as ReadableStream<Uint8Array>;

/** Stands for the stylesheet while a page is rendered. Nothing shown can look like it: React escapes its "<". */
const STYLE_MARK = "<style>";

/** Fixes what the libraries get wrong in a finished page. The stylesheet, most of its bytes, is put in unchanged. */
function finish(page: string): Uint8Array<ArrayBuffer> {
  const [head = "", ...rest] = moveScriptsIntoBody(page).split(STYLE_MARK);
  return Buffer.concat([Buffer.from(head), ...rest.flatMap((part) => [stylesheetBytes, Buffer.from(part)])]);
}

/**
 * Remix sends its data after the end of the document, which browsers forgive and validators don't. And some browsers
 * preload scripts even when scripting is off, unless told not to.
 */
function moveScriptsIntoBody(html: string): string {
  const end = "</body></html>";
  const at = html.lastIndexOf(end);
  if (at === -1) return html;
  const preloads = Math.max(0, html.indexOf(PRELOAD));
  const scripts = html.slice(at + end.length).match(/<script\b[^]*?<\/script>/g) ?? [];
  const preloading = html.slice(preloads, at).replaceAll(PRELOAD, `${PRELOAD} media="(scripting)"`);
  return html.slice(0, preloads) + preloading + scripts.join("") + end;
}

const PRELOAD = 'rel="modulepreload"';
