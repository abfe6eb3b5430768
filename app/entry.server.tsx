import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToStaticMarkup } from "react-dom/server";
import type { RouteArgs } from "~/server/front-door/context.server";
import { PageFiles } from "~/shell/page-files";
import { problemIn, type ShownProblem } from "~/shell/problem-page";
import { reportFailure } from "~/server/front-door/record.server";
import { staticPage } from "~/shell/static-page.server";
import { pageCsp, stylesheetBytes } from "~/shell/stylesheet.server";

/** Remix keeps a timer of this length (ms) for each page, in case some of its data come later. None of ours do. */
export const streamTimeout = 100;

/** Makes the answer to a request for a page. */
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
  if (errors && !loaderData["root"])
    return plainProblem({ request, context }, problemIn(Object.values(errors)[0]), headers);
  try {
    const html = render(remixContext, request.url);
    headers.set("Content-Security-Policy", pageCsp());
    return new Response(html, { status, headers });
  } catch (error) {
    reportFailure(context.incoming, error);
    return await plainProblem({ request, context }, { status: 500 }, headers);
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

async function plainProblem(args: RouteArgs, problem: ShownProblem, headers: Headers): Promise<Response> {
  const { status, ...texts } = problem;
  headers.set("Content-Security-Policy", pageCsp());
  return new Response(await staticPage(args, status, texts), { status, headers });
}

/** Logs uncaught errors, but not when the visitor has left, nor the router's own 404. */
export function handleError(
  error: unknown,
  { request, context }: LoaderFunctionArgs | ActionFunctionArgs,
): void {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  reportFailure(context.incoming, error);
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
