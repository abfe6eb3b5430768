import type { LoaderFunctionArgs } from "@remix-run/node";
import {
  Outlet,
  isRouteErrorResponse,
  useLocation,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import { type ReactNode, useContext } from "react";
import { customerHeaderOf, languageLinks, layoutOf, problemTitle, sessionWords } from "~/shell/layout.server";
import { PageFiles } from "~/shell/page-files";
import { PartsForScripts, SIGN_OUT_ID, SignOutQuestion } from "~/shell/parts-for-scripts";
import { type ProblemTexts, problemWords } from "~/shell/problem.server";
import headingFace from "~/ui/heading-face/bricolage-grotesque-700.woff2";
import { announcementOn } from "~/front-door/context.server";
import { textsIn } from "~/i18n/texts.server";
import { PageTexts } from "~/i18n/use-texts";
import { openVisit } from "~/visit/visit.server";
import { Announcement, DemoRibbon, Footer, Header } from "~/ui/page-frame";
import { HelplinePhones } from "~/ui/phone";
import { Spinner } from "~/ui/icons";
import { ProblemPage } from "./ui/problem-page";

/** Stands for a problem's heading in its title: which problem there is, the page learns later. */
const HEADING = "{heading}";

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args);
  const { t } = visit;
  const visitor = await visit.visitor();
  return {
    language: t.language,
    layout: layoutOf(t, announcementOn(args)),
    // Before consent the sign-in page would only redirect to the consent screen.
    home: visitor.status === "missingCookie" ? "/home/cookies" : "/home",
    customer: visitor.status === "authenticated" ? customerHeaderOf(t, visitor.customer.name) : undefined,
    // From the right password on, so while the code is still missing, too.
    session: "customer" in visitor ? sessionWords(t) : undefined,
    problems: problemWords(t, visit),
    problemTitle: problemTitle(t, HEADING),
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
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          <Title />
          <link rel="icon" href="/favicon.svg" />
          <link rel="preload" href={headingFace} as="font" type="font/woff2" crossOrigin="" />
          <style dangerouslySetInnerHTML={{ __html: css }} />
          <script type="module" src={script} />
          {import.meta.env.MODE === "development" && <script type="module" src="/@vite/client" />}
        </head>
        <body data-words={data && JSON.stringify(data.layout.forScripts)}>
          {data ? (
            <HelplinePhones.Provider value={data.layout.phones}>
              <PageFrame data={data}>{children}</PageFrame>
            </HelplinePhones.Provider>
          ) : (
            children
          )}
        </body>
      </html>
    </PageTexts.Provider>
  );
}

/** The entry of the menu that a page without its own belongs to: a policy to the policies, a change to My Data. */
function partOf(pathname: string): string {
  if (pathname.startsWith("/cp/policy/")) return "/cp";
  if (pathname.startsWith("/home/") || pathname === "/cp/not-me") return "/cp/profile";
  return pathname.replace(/\/$/, "");
}

function PageFrame({ data, children }: { readonly data: RootData; readonly children: ReactNode }) {
  const { layout, home, customer } = data;
  const { pathname, search } = useLocation();
  const entry = (href: string, text: string) => ({
    href,
    text,
    current: pathname === href ? ("page" as const) : partOf(pathname) === href,
  });
  return (
    <>
      <div id="page" className="flex min-h-screen flex-col">
        <a href="#content" className="sr-only focus:not-sr-only focus:bg-card focus:p-3">
          {layout.words.skip}
        </a>
        <Header
          ribbon={layout.ribbon && <DemoRibbon {...layout.ribbon} />}
          brand={layout.brand}
          home={{ href: home, label: layout.homeLabel }}
          customer={
            customer && {
              signedInAs: customer.signedInAs,
              signOut: customer.words.signOut,
              signOutHref: `#${SIGN_OUT_ID}`,
            }
          }
          menu={
            customer && {
              label: customer.words.menu,
              entries: [
                entry("/cp", customer.words.policies),
                entry("/cp/profile", customer.words.profile),
                entry("/cp/contact", customer.words.contact),
              ],
            }
          }
        />
        {layout.announcement && <Announcement {...layout.announcement} />}
        <main id="content" tabIndex={-1} className="flex flex-1 flex-col">
          {children}
        </main>
        <Footer
          label={layout.words.footerLabel}
          documents={layout.documents}
          languages={languageLinks(layout.languages, pathname + search)}
          helpline={layout.helpline}
          always={layout.always}
          copyright={layout.copyright}
          version={layout.version}
        />
        {customer && (
          <SignOutQuestion
            header={customer.words.askHeader}
            message={customer.words.askMessage}
            back={customer.words.askBack}
            confirm={customer.words.askConfirm}
          />
        )}
      </div>
      <Spinner />
      <PartsForScripts words={layout} />
    </>
  );
}

type RootData = NonNullable<ReturnType<typeof useRouteLoaderData<typeof loader>>>;

/**
 * The screen's title from its loader data, after "Błąd: " while its form is refused; in its place a problem's. Rendered
 * here because Remix's `meta` doesn't see action data.
 */
function Title() {
  const root = useRouteLoaderData<typeof loader>("root");
  const error = useContext(PageFiles).failed;
  const problem = useProblem();
  const titles = useMatches().flatMap(({ data }) =>
    typeof data === "object" && data !== null && "title" in data && typeof data.title === "string"
      ? [data.title]
      : [],
  );
  if (root && problem) return <title>{root.problemTitle.replace(HEADING, () => problem.header)}</title>;
  const title = titles.at(-1) ?? root?.layout.titleHome ?? "";
  return <title>{error ? `${root?.layout.errorPrefix ?? ""}${title}` : title}</title>;
}

export default function App() {
  return <Outlet />;
}

/** For uncaught errors: a problem page inside the usual layout. */
export function ErrorBoundary() {
  const problem = useProblem();
  return problem ? <ProblemPage {...problem} /> : null;
}

/** The problem in place of a screen, if there is one: its usual words, or those that were thrown. */
function useProblem() {
  const error = useRouteError();
  const root = useRouteLoaderData<typeof loader>("root");
  // Outside of its boundary React Router says null.
  if (error === undefined || error === null) return undefined;
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const thrown = isRouteErrorResponse(error)
    ? (error.data as { texts?: ProblemTexts; header?: string; text?: string } | null)
    : undefined;
  const texts = thrown?.texts ?? root?.problems[status] ?? root?.problems[500];
  if (!texts) return undefined;
  const { header = texts.header, text = texts.text } = thrown ?? {};
  return { ...texts, status, header, text };
}
