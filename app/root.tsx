import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLocation, useMatches, useRouteError, useRouteLoaderData } from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { announcementOn } from "~/server/front-door/context.server";
import { textsIn } from "~/i18n/texts.server";
import { PageTexts, useTexts } from "~/i18n/use-texts";
import { AnnouncementBox, Footer, Header, PageMeta } from "~/shell/page-frame";
import { PageFiles } from "~/shell/page-files";
import { PartsForScripts, WORDS_FOR_SCRIPTS } from "~/shell/parts-for-scripts";
import { problemIn, ProblemPage, type ShownProblem } from "~/shell/problem-page";
import { SignOutQuestion } from "~/shell/sign-out-question";
import { problemTitle } from "~/shell/titles";
import headingFace from "~/ui/heading-face/bricolage-grotesque-700.woff2";
import { Spinner } from "~/ui/icons";
import { openVisit } from "~/visit/visit.server";

/** A page that is the same for all visitors: it asks no backend who they are, and so sets no cookie. */
const SAME_FOR_ALL = "/home/accessibility";

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args);
  const { pathname } = new URL(visit.request.url);
  const visitor = pathname === SAME_FOR_ALL ? undefined : await visit.visitor();
  return {
    language: visit.t.language,
    announcement: announcementOn(args),
    // Before consent the sign-in page would only redirect to the consent screen.
    home: visitor?.status === "missingCookie" ? "/home/cookies" : "/home",
    customer: visitor?.status === "authenticated" ? visitor.customer.name : undefined,
    requestId: visit.reference.id,
  };
}

/** The document around a screen: head, header and menu, footer. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const { css, script } = useContext(PageFiles);
  const data = useRouteLoaderData<typeof loader>("root");
  const t = textsIn(data?.language);
  return (
    <PageTexts.Provider value={t}>
      <html lang={t.language}>
        <head>
          <PageMeta />
          <Title />
          <link rel="icon" href="/favicon.svg" />
          <link rel="preload" href={headingFace} as="font" type="font/woff2" crossOrigin="" />
          <style dangerouslySetInnerHTML={{ __html: css }} />
          <script type="module" src={script} />
          {import.meta.env.MODE === "development" && <script type="module" src="/@vite/client" />}
        </head>
        <body data-words={data && WORDS_FOR_SCRIPTS[t.language]}>
          {data ? <PageFrame data={data}>{children}</PageFrame> : children}
        </body>
      </html>
    </PageTexts.Provider>
  );
}

type RootData = NonNullable<ReturnType<typeof useRouteLoaderData<typeof loader>>>;

function PageFrame({ data, children }: { readonly data: RootData; readonly children: ReactNode }) {
  const t = useTexts();
  const { announcement, home, customer } = data;
  const { pathname, search } = useLocation();
  return (
    <>
      <div id="page" className="flex min-h-screen flex-col">
        <a href="#content" className="sr-only focus:not-sr-only focus:bg-card focus:p-3">
          {t("common:a11y.skip")}
        </a>
        <Header home={home} customer={customer} />
        {announcement && <AnnouncementBox {...announcement} />}
        <main id="content" tabIndex={-1} className="flex flex-1 flex-col">
          {children}
        </main>
        <Footer here={pathname + search} />
        {customer !== undefined && <SignOutQuestion />}
      </div>
      <Spinner />
      <PartsForScripts />
    </>
  );
}

/**
 * The screen's title from its loader data, after "Błąd: " while its form is refused; in its place a problem's. Rendered
 * here because Remix's `meta` doesn't see action data.
 */
function Title() {
  const t = useTexts();
  const root = useRouteLoaderData<typeof loader>("root");
  const { failed } = useContext(PageFiles);
  const problem = useProblem();
  const titles = useMatches().flatMap(({ data }) =>
    typeof data === "object" && data !== null && "title" in data && typeof data.title === "string"
      ? [data.title]
      : [],
  );
  if (root && problem) {
    const { status, header = t(`errors:page.${status}.header`) } = problem;
    return <title>{problemTitle(t, header)}</title>;
  }
  const title = titles.at(-1) ?? t("common:app.titleHome");
  return <title>{failed ? t("common:app.titleError", { title }) : title}</title>;
}

export default function App() {
  return <Outlet />;
}

/** For uncaught errors: a problem page inside the usual layout. */
export function ErrorBoundary() {
  const root = useRouteLoaderData<typeof loader>("root");
  const problem = useProblem();
  const { pathname } = useLocation();
  return problem && root ? <ProblemPage {...problem} requestId={root.requestId} path={pathname} /> : null;
}

/** The problem in place of a screen, if there is one. */
function useProblem(): ShownProblem | undefined {
  const error = useRouteError();
  // Outside of its boundary React Router says null.
  return error === undefined || error === null ? undefined : problemIn(error);
}
