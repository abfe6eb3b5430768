import type { IncomingMessage, ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { createRequestListener } from "@remix-run/node-fetch-server";
import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { answerAlive, isAskedIfAlive } from "~/front-door/alive.server";
import { contextOf, type RouteArgs } from "~/front-door/context.server";
import { loadRoutePatterns, recordAnswer } from "~/front-door/record-answer.server";
import { recordRefusedConnection } from "~/front-door/record-refused-connection.server";
import { recordRejection } from "~/front-door/record-rejection.server";
import { newNonce } from "~/front-door/slots.server";
import { brand, helplinePhone } from "~/platform/config/brand.server";
import { environment } from "~/platform/config/environment.server";
import { sendsNotices } from "~/platform/config/sms-variables.server";
import { failStartup } from "~/platform/lifecycle/fail-startup.server";
import { log } from "~/platform/telemetry/log.server";
import { refuseToStartWithoutAddress } from "~/platform/lifecycle/listen-failure.server";
import { portalRequestHandler } from "~/front-door/portal-request-handler.server";
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
import { packedFilesIn } from "./front-door/packed-files.server";
import { confirmationTexts } from "./i18n/confirmation-texts.server";
import { noticeTexts, smsFaults, smsTexts } from "./i18n/sms-texts.server";
import { KEPT_SCREENS } from "./journeys/kept-screens";

const { PUBLIC_ORIGIN, BACKEND_URL, BACKEND_HOSTS, TRUSTED_PROXIES, HOST, PORT, limits } = environment();

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
      },
  onRejected: recordRejection,
  onConnectionRefused: recordRefusedConnection,
  // nginx asks as often as customers do, and would hide in the figures how they fare.
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

/** Nothing is deferred, so there is nothing to wait for: Remix keeps a timer this long (ms) per answer. */
export const streamTimeout = 100;

const RENDER_MS = 5000;

/** Answers a request with the app: a screen, its data, or what else has a route. */
export function answerFromApp(request: IncomingMessage, response: ServerResponse): void {
  const incoming = contextOf(request);
  const answer = createRequestListener(async (asked) => (await portalRequestHandler())(asked, { incoming }), {
    onError: (error) => {
      reportUnanswered(request, error);
    },
  });
  answer(request, response);
}

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
    const html = await render(<RemixServer context={remixContext} url={request.url} nonce={nonce} />, nonce);
    headers.set(
      "Content-Security-Policy",
      documentCsp({ nonce, styleHashes: [stylesheetHash], https: isSecureOrigin() }),
    );
    return new Response(html, { status, headers });
  } catch (error) {
    reportFailure(context, error);
    return await plainProblem({ request, context }, 500, headers);
  }
}

/** Keeps the headers of a 405, 429, 503 or refused form, which Remix would drop unless every matched route exported `headers`. */
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

/** What neither Remix nor the backend has made an answer of; the library then sends a bare 500. */
function reportUnanswered(request: IncomingMessage, error: unknown): void {
  reportFailure({ incoming: contextOf(request) }, error);
}

/** Renders the whole page into one buffer: nothing is deferred, and a buffer is cheaper than a stream. */
function render(app: ReactNode, nonce: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const page = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(trimNuls(chunk));
        done();
      },
      final(done) {
        clearTimeout(timeout);
        resolve(finish(Buffer.concat(chunks)));
        done();
      },
    });
    const failed = (error: unknown) => {
      clearTimeout(timeout);
      reject(error instanceof Error ? error : new Error("The page could not be rendered"));
    };
    const { pipe, abort } = renderToPipeableStream(
      <PageStyle.Provider value={{ css: STYLE_MARK, nonce }}>{app}</PageStyle.Provider>,
      {
        onAllReady: () => pipe(page),
        onShellError: failed,
        onError: failed,
      },
    );
    // Cleared when done: otherwise it would keep the page in memory until it fires.
    const timeout = setTimeout(abort, RENDER_MS);
  });
}

/** Stands for the stylesheet while a page is rendered. Nothing that is shown can look like it: React escapes its "<". */
const STYLE_MARK = "<style>";

/** Fixes what the libraries get wrong in a finished page. The stylesheet, most of its bytes, is put in as it is. */
function finish(page: Buffer): Uint8Array<ArrayBuffer> {
  const html = moveScriptsIntoBody(preloadOnlyWithScripts(page.toString("utf8")));
  const [head = "", ...rest] = html.split(STYLE_MARK);
  return Buffer.concat([Buffer.from(head), ...rest.flatMap((part) => [stylesheetBytes, Buffer.from(part)])]);
}

/** Some browsers preload scripts even when scripting is off, unless told not to. */
function preloadOnlyWithScripts(html: string): string {
  const rel = 'rel="modulepreload"';
  return html.replaceAll(rel, `${rel} media="(scripting)"`);
}

/** Remix sends its data after the end of the document, which browsers forgive and validators don't. */
function moveScriptsIntoBody(html: string): string {
  const end = "</body></html>";
  const at = html.lastIndexOf(end);
  if (at === -1) return html;
  const scripts = html.slice(at + end.length).match(/<script\b[^]*?<\/script>/g) ?? [];
  return html.slice(0, at) + scripts.join("") + end;
}

/** React 18 leaves NULs at the end of a buffer when the next character didn't fit (facebook/react#26228). */
function trimNuls(chunk: Buffer): Buffer {
  return chunk.subarray(0, chunk.findLastIndex((byte) => byte !== 0) + 1);
}
