import { renderToStaticMarkup } from "react-dom/server";
import { BrandMark } from "~/ui/brand-mark";
import { Footer } from "~/ui/footer";
import { ProblemPage } from "~/ui/problem-page";
import { textsFor } from "~/visit/language.server";
import { languageLinks } from "./language-links";
import { layoutOf } from "./layout.server";
import { problemTexts, type ProblemStatus } from "./problem.server";
import { stylesheet } from "./stylesheet.server";

/**
 * A problem page as plain HTML, without scripts or a router: for requests rejected before they reached one, and
 * for failures of the page itself.
 */
export async function staticPage(request: Request, status: ProblemStatus): Promise<string> {
  const t = await textsFor(request);
  const layout = layoutOf(t);
  const texts = problemTexts(t, status, request);
  const page = (
    <html lang={t.language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{layout.errorPrefix + layout.titleHome}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <style dangerouslySetInnerHTML={{ __html: stylesheet }} />
      </head>
      <body>
        <div className="flex min-h-screen flex-col">
          <header className="border-b-4 border-teal-600 bg-white px-4 py-3">
            <a href="/home" aria-label={layout.homeLabel}>
              <BrandMark {...layout.brand} />
            </a>
          </header>
          <main className="flex-1">
            <ProblemPage {...texts} />
          </main>
          <Footer
            label={layout.words.footerLabel}
            documents={layout.documents}
            // The rejected address must not be requested again.
            languages={languageLinks(layout.languages, "/home")}
            helpline={layout.helpline}
            copyright={layout.copyright}
            version={layout.version}
          />
        </div>
      </body>
    </html>
  );
  return `<!DOCTYPE html>${renderToStaticMarkup(page)}`;
}
