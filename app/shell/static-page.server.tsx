import { renderToStaticMarkup } from "react-dom/server";
import { announcementOn, type RouteArgs } from "~/front-door/context.server";
import { Announcement, BrandMark, Footer } from "~/ui/page-frame";
import { HelplinePhones } from "~/ui/phone";
import { ProblemPage } from "~/ui/problem-page";
import { textsFor } from "~/visit/browser.server";
import { languageLinks, layoutOf, problemTitle } from "./layout.server";
import { type ProblemStatus, type ProblemTexts, problemTexts } from "./problem.server";
import { pageCsp, stylesheet } from "./stylesheet.server";

/**
 * A problem page as plain HTML, without scripts or a router: for requests that were rejected before they reached the
 * router, and for failures of the page itself.
 * @param words replace the status's usual ones
 */
export async function staticPage(
  args: RouteArgs,
  status: ProblemStatus,
  words: Partial<Pick<ProblemTexts, "header" | "text" | "reference" | "home">> = {},
): Promise<string> {
  const t = await textsFor(args.request);
  const layout = layoutOf(t, announcementOn(args));
  const texts = { ...problemTexts(t, status, args), ...words };
  const page = (
    <html lang={t.language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{problemTitle(t, texts.header)}</title>
        <link rel="icon" href="/favicon.svg" />
        <style dangerouslySetInnerHTML={{ __html: stylesheet }} />
      </head>
      <body>
        <HelplinePhones.Provider value={layout.phones}>
          <div className="flex min-h-screen flex-col">
            <header className="border-b border-line bg-card">
              <div className="page-grid py-3">
                <a href="/home" aria-label={layout.homeLabel} className="inline-block py-1 no-underline">
                  <BrandMark {...layout.brand} />
                </a>
              </div>
            </header>
            {layout.announcement && <Announcement {...layout.announcement} />}
            <main className="flex flex-1 flex-col">
              <ProblemPage status={status} {...texts} />
            </main>
            <Footer
              label={layout.words.footerLabel}
              documents={layout.documents}
              // The rejected address must not be requested again.
              languages={languageLinks(layout.languages, "/home")}
              helpline={layout.helpline}
              always={layout.always}
              copyright={layout.copyright}
              version={layout.version}
            />
          </div>
        </HelplinePhones.Provider>
      </body>
    </html>
  );
  return `<!DOCTYPE html>${renderToStaticMarkup(page)}`;
}

interface ProblemDetails {
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the status's usual words. */
  readonly words?: Parameters<typeof staticPage>[2];
}

/**
 * A problem page as a complete response, for addresses without a screen. If they threw one instead, Remix would send
 * its own line in English.
 */
export async function problemResponse(
  args: RouteArgs,
  status: ProblemStatus,
  { headers = {}, words }: ProblemDetails = {},
): Promise<Response> {
  return new Response(await staticPage(args, status, words), {
    status,
    headers: {
      ...headers,
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": pageCsp(),
    },
  });
}
