import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import type { ActionFunctionArgs, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import type { ReactNode } from "react";
import { renderToPipeableStream } from "react-dom/server";
import { openBackendAtStart, provideSmsTexts } from "~/visit/backend-client/embedded.server";
import { connectGauges } from "~/visit/backend-client/connect-gauges.server";
import { loadRoutePatterns, recordAnswer } from "~/front-door/record-answer.server";
import { documentCsp } from "./front-door/headers";
import { mountFrontDoor } from "./front-door/mount.server";
import { packedFilesIn } from "./front-door/packed-files.server";
import { PROBLEM_STATUSES } from "~/shell/problem.server";
import { smsFaults, smsTexts } from "./i18n/sms-texts.server";
import { PageStyle } from "~/shell/page-style";
import { brand } from "./platform/brand.server";
import { environment } from "./platform/environment.server";
import { failStartup } from "~/platform/fail-startup.server";
import { log } from "./platform/log.server";
import { openMetricsPort } from "./platform/metrics-port.server";
import { metrics } from "./platform/metrics.server";
import { silenceRemixServe } from "./platform/remix-serve-log.server";
import { cookieName, isSecureOrigin } from "~/visit/cookies.server";
import { staticPage } from "~/shell/static-page.server";
import { stylesheet, stylesheetHash } from "~/shell/stylesheet.server";

const { PUBLIC_ORIGIN, BACKEND_URL, BACKEND_HOSTS, TRUSTED_PROXIES, PORT, limits } = environment();

mountFrontDoor({
  publicOrigin: PUBLIC_ORIGIN,
  backendHosts: BACKEND_HOSTS,
  trustedProxies: TRUSTED_PROXIES,
  limits,
  port: PORT,
  languageCookie: cookieName("language"),
  packedFiles: packedFilesIn("build/client/assets", "/assets/"),
  onRejected: (refusal) => {
    log().info({ ...refusal }, "request refused");
    metrics().refusals.inc({ reason: refusal.reason });
  },
  onAnswered: recordAnswer,
});
silenceRemixServe();
void loadRoutePatterns();
if (BACKEND_URL === undefined) {
  const host = PUBLIC_ORIGIN === undefined ? undefined : new URL(PUBLIC_ORIGIN).hostname;
  const faults = smsFaults(brand().smsName, host);
  if (faults.length > 0) failStartup(faults);
}
provideSmsTexts(smsTexts(brand().smsName));
connectGauges();
await openMetricsPort();
await openBackendAtStart();

/** Nothing is deferred, so nothing is waited for: Remix keeps a timer this long per answer (ms). */
export const streamTimeout = 100;

const RENDER_MS = 5000;

export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
) {
  const { errors, loaderData, actionHeaders, loaderHeaders } = remixContext.staticHandlerContext;
  headers.set("Content-Type", "text/html; charset=utf-8");
  keepStatusHeaders(headers, [...Object.values(loaderHeaders), ...Object.values(actionHeaders)]);
  // After an error in an action Remix does not ask the root for its data: there is nothing to put around the page.
  if (errors && !loaderData["root"]) return plainProblem(request, status, headers);
  try {
    const nonce = randomBytes(16).toString("base64");
    const html = await render(<RemixServer context={remixContext} url={request.url} nonce={nonce} />, nonce);
    headers.set(
      "Content-Security-Policy",
      documentCsp({ nonce, styleHashes: [stylesheetHash], https: isSecureOrigin() }),
    );
    return new Response(html, { status, headers });
  } catch (error) {
    reportFailure(request, error);
    return await plainProblem(request, 500, headers);
  }
}

/** What belongs to a 405, 429 or 503; Remix would drop it, unless each route on the way exported a function for it. */
function keepStatusHeaders(headers: Headers, given: readonly Headers[]): void {
  for (const name of ["Allow", "Retry-After"]) {
    for (const own of given) if (own.has(name)) headers.set(name, own.get(name) ?? "");
  }
}

async function plainProblem(request: Request, status: number, headers: Headers): Promise<Response> {
  const known = PROBLEM_STATUSES.find((candidate) => candidate === status) ?? 500;
  const csp = documentCsp({ styleHashes: [stylesheetHash], https: isSecureOrigin() });
  headers.set("Content-Security-Policy", csp);
  return new Response(await staticPage(request, known), { status: known, headers });
}

/** Errors that nobody answers. A visitor who went away is not one of them, nor is the router's own 404. */
export function handleError(error: unknown, { request }: LoaderFunctionArgs | ActionFunctionArgs): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  reportFailure(request, error);
}

function reportFailure(request: Request, error: unknown): void {
  log().error({ requestId: request.headers.get("X-Request-Id"), err: error }, "unexpected failure");
}

/** The whole page at once: nothing in it is deferred, and one buffer is cheaper than a stream. */
function render(app: ReactNode, nonce: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const page = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(withoutPadding(chunk));
        done();
      },
      final(done) {
        clearTimeout(guard);
        resolve(finished(Buffer.concat(chunks)));
        done();
      },
    });
    const failed = (error: unknown) => {
      clearTimeout(guard);
      reject(error instanceof Error ? error : new Error("The page could not be rendered"));
    };
    const { pipe, abort } = renderToPipeableStream(
      <PageStyle.Provider value={{ css: stylesheet, nonce }}>{app}</PageStyle.Provider>,
      {
        onAllReady: () => pipe(page),
        onShellError: failed,
        onError: failed,
      },
    );
    // Cleared at the end: left alone it would hold the page in memory for its whole time.
    const guard = setTimeout(abort, RENDER_MS);
  });
}

/** Puts right what the libraries leave in a page that is finished. */
function finished(page: Buffer): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(inOrder(preloadingForScripts(page.toString("utf8"))));
}

/** Who has scripts off fetches none: some browsers preload them all the same, unless told so. */
function preloadingForScripts(html: string): string {
  const rel = 'rel="modulepreload"';
  return html.replaceAll(rel, `${rel} media="(scripting)"`);
}

/** Remix sends its data after the end of the document, where browsers forgive it and validators do not. */
function inOrder(html: string): string {
  const end = "</body></html>";
  const at = html.lastIndexOf(end);
  if (at === -1) return html;
  const scripts = html.slice(at + end.length).match(/<script\b[^]*?<\/script>/g) ?? [];
  return html.slice(0, at) + scripts.join("") + end;
}

/** React 18 leaves NULs at the end of a buffer that the next letter did not fit into (facebook/react#26228). */
function withoutPadding(chunk: Buffer): Buffer {
  return chunk.subarray(0, chunk.findLastIndex((byte) => byte !== 0) + 1);
}
