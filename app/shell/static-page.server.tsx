import { renderToStaticMarkup } from "react-dom/server";
import { type Wait, waitHead } from "~/contract/refusal.server";
import { announcementOn, type RouteArgs } from "~/server/front-door/context.server";
import type { Translate } from "~/i18n/texts.server";
import { PageTexts } from "~/i18n/use-texts";
import { waitPageTexts } from "~/i18n/wait-text.server";
import { textsFor } from "~/visit/browser.server";
import { AnnouncementBox, BrandMark, Footer, PageMeta } from "./page-frame";
import type { ProblemStatus } from "./problem";
import { ProblemPage, type ProblemTexts } from "./problem-page";
import { pageCsp, stylesheet } from "./stylesheet.server";
import { problemTitle } from "./titles";

/**
 * A problem page as plain HTML, without scripts or a router: for requests that were rejected before they reached the
 * router, and for failures of the page itself.
 */
export async function staticPage(
  args: RouteArgs,
  status: ProblemStatus,
  texts: ProblemTexts = {},
): Promise<string> {
  const t = await textsFor(args.request);
  const announcement = announcementOn(args);
  const page = (
    <PageTexts.Provider value={t}>
      <html lang={t.language}>
        <head>
          <PageMeta />
          <title>{problemTitle(t, texts.header ?? t(`errors:page.${status}.header`))}</title>
          <link rel="icon" href="/favicon.svg" />
          <style dangerouslySetInnerHTML={{ __html: stylesheet }} />
        </head>
        <body>
          <div className="flex min-h-screen flex-col">
            <header className="border-b border-line bg-card">
              <div className="page-grid py-3">
                <a
                  href="/home"
                  aria-label={t("layout:header.logoAlt")}
                  className="inline-block py-1 no-underline"
                >
                  <BrandMark />
                </a>
              </div>
            </header>
            {announcement && <AnnouncementBox {...announcement} />}
            <main className="flex flex-1 flex-col">
              <ProblemPage
                status={status}
                requestId={args.context.incoming.requestId}
                path={new URL(args.request.url).pathname}
                {...texts}
              />
            </main>
            {/* The rejected address must not be requested again. */}
            <Footer here="/home" />
          </div>
        </body>
      </html>
    </PageTexts.Provider>
  );
  return `<!DOCTYPE html>${renderToStaticMarkup(page)}`;
}

interface ProblemDetails {
  readonly headers?: Readonly<Record<string, string>>;
  /** Replace the status's usual texts. */
  readonly texts?: ProblemTexts;
}

/**
 * A problem page as a complete response, for addresses without a screen. If they threw one instead, Remix would send
 * its own line in English.
 */
export async function problemResponse(
  args: RouteArgs,
  status: ProblemStatus,
  { headers = {}, texts }: ProblemDetails = {},
): Promise<Response> {
  return new Response(await staticPage(args, status, texts), {
    status,
    headers: {
      ...headers,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": pageCsp(),
    },
  });
}

/** The page that says how long to wait, as a complete response, for addresses without a screen. */
export function waitingResponse(args: RouteArgs, t: Translate, wait: Wait): Promise<Response> {
  const { status, headers } = waitHead(wait);
  return problemResponse(args, status, { headers, texts: waitPageTexts(t, wait) });
}
