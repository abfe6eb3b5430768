import type { ReactElement, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { documentCsp } from "~/server/front-door/content-policy";
import { otherLanguages } from "~/i18n/languages";
import { textsIn, type Translate } from "~/i18n/texts.server";
import { PageTexts, useTexts } from "~/i18n/use-texts";
import { BrandMark, PageMeta } from "~/shell/page-frame";
import { styleHash, stylesheet } from "~/shell/stylesheet.server";
import { Alert } from "~/ui/alert";
import { ButtonRow, PlainButtonLink } from "~/ui/button";
import { SignOut } from "~/ui/icons";
import { WAITING } from "./addresses";
import type { Staff, StaffPage } from "./screen";

/** The search page: the start. */
export const HELP_DESK = "/help-desk";
/** Ends a session, by POST. */
export const SIGN_OUT = "/help-desk/sign-out";

/** What the frame around a page shows, and where its forms may lead. */
interface Frame {
  readonly t: Translate;
  /** Undefined for pages that need no sign-on. */
  readonly staff: Staff | undefined;
  /** The page's path, to return to in another language. */
  readonly here: string;
  /** Whether a sign-on interrupted the previous form. */
  readonly isInterrupted: boolean;
  /** Whether links must not send this page's address as referrer: its query is secret. */
  readonly hidesAddress: boolean;
  readonly isDemo: boolean;
  /** Whether staff come by https. */
  readonly https: boolean;
  /** Other origins that forms may lead to by a redirect. */
  readonly formTargets: readonly string[];
}

/** A page as a complete answer. */
export function pageResponse(frame: Frame, { status = 200, title, body, headers }: StaffPage): Response {
  const { t, here, hidesAddress, https, formTargets } = frame;
  const page = (
    <PageTexts.Provider value={t}>
      <html lang={t.language}>
        <head>
          <PageMeta />
          {hidesAddress && <meta name="referrer" content="no-referrer" />}
          <title>{t("staff:title", { page: title })}</title>
          <link rel="icon" href="/favicon.svg" />
          <style dangerouslySetInnerHTML={{ __html: stylesheet }} />
        </head>
        <body>
          <div id="page" className="flex min-h-screen flex-col">
            <a href="#content" className="sr-only focus:not-sr-only focus:bg-card focus:p-3">
              {t("common:a11y.skip")}
            </a>
            <StaffHeader {...frame} />
            <main id="content" tabIndex={-1} className="flex flex-1 flex-col">
              {frame.isInterrupted && (
                <div className="page-grid pt-6">
                  <Alert kind="warning">{t("staff:signOn.interrupted")}</Alert>
                </div>
              )}
              {body}
            </main>
            <StaffFooter here={here} />
          </div>
        </body>
      </html>
    </PageTexts.Provider>
  );
  const answer = new Response(`<!DOCTYPE html>${renderToStaticMarkup(page)}`, {
    status,
    headers: headers ?? [],
  });
  answer.headers.set("Content-Type", "text/html; charset=utf-8");
  answer.headers.set("Content-Security-Policy", documentCsp({ styleHash, https, formTargets }));
  return answer;
}

function StaffHeader({ staff, isDemo }: Pick<Frame, "staff" | "isDemo">) {
  const t = useTexts();
  return (
    <header className="border-b border-line bg-card">
      {isDemo && (
        <p data-screen-only className="bg-accent-tint py-1 text-sm text-ink">
          <span className="page-grid block">{t("common:demo.ribbon")}</span>
        </p>
      )}
      <div className="page-grid flex min-h-[4rem] flex-wrap items-center justify-between py-2">
        <a href={HELP_DESK} aria-label={t("staff:frame.home")} className="rounded-control py-1 no-underline">
          <BrandMark />
        </a>
        <p className="font-semibold">{t("staff:frame.name")}</p>
        {staff && (
          <div className="flex min-w-0 flex-wrap items-center">
            <p className="mr-3 min-w-0 break-words text-sm">
              {t(staff.mayAct ? "staff:frame.mayAct" : "staff:frame.mayLook", { name: staff.name })}
            </p>
            <form method="post" action={SIGN_OUT}>
              {/* Lynx sends a form without a value as a GET. */}
              <input type="hidden" name="intent" value="sign-out" />
              <button
                type="submit"
                className="flex min-h-button-md items-center rounded-control font-semibold text-link underline hover:text-ink"
              >
                <SignOut className="mr-2 h-6 w-6" />
                <span>{t("staff:frame.signOut")}</span>
              </button>
            </form>
          </div>
        )}
      </div>
    </header>
  );
}

function StaffFooter({ here }: Pick<Frame, "here">) {
  const t = useTexts();
  return (
    <footer aria-label={t("staff:frame.footer")} className="bg-band text-sm text-band-muted">
      <div className="page-grid flex flex-wrap justify-between py-2">
        <p className="py-3">{t("layout:footer.version")}</p>
        <ul className="flex flex-wrap">
          {otherLanguages(t.language).map((language) => (
            <li key={language} className="ml-5">
              {/* In that language, so that its readers find it. */}
              <a
                href={`${HELP_DESK}/language/${language}?back=${encodeURIComponent(here)}`}
                lang={language}
                hrefLang={language}
                className="inline-block py-3 text-white underline"
              >
                {textsIn(language)("common:language.name")}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </footer>
  );
}

/** The target of links to a form's outcome: browsers move to it without a script, and screen readers read it. */
export const OUTCOME = "outcome";

/** The outcome of a form, at the top of its page. */
export function Outcome({ children }: { readonly children: ReactNode }) {
  return (
    <div id={OUTCOME} tabIndex={-1} className="mb-6">
      {children}
    </div>
  );
}

/** A page that says why nothing was done, and leads back to this one. */
export function stopPage(
  { t }: { readonly t: Translate },
  status: number,
  header: string,
  back: string,
): StaffPage {
  return messagePage(status, header, <BackLinks t={t} back={back} />);
}

/** Links back: to this page, and to the search. */
export function BackLinks({ t, back }: { readonly t: Translate; readonly back: string }) {
  return (
    <ButtonRow>
      {back !== HELP_DESK && (
        <PlainButtonLink href={back}>
          {t(back === WAITING ? "helpDesk:waiting.title" : "helpDesk:act.toCustomer")}
        </PlainButtonLink>
      )}
      <PlainButtonLink href={HELP_DESK} variant={back === HELP_DESK ? "primary" : "quiet"}>
        {t("helpDesk:customer.findOther")}
      </PlainButtonLink>
    </ButtonRow>
  );
}

/** A page that is only a message: a heading, sentences, and a link. */
export function messagePage(
  status: number,
  header: string,
  body: ReactNode,
): { readonly status: number; readonly title: string; readonly body: ReactElement } {
  return {
    status,
    title: header,
    body: (
      <div className="page-grid flex-1 py-6 md:py-10">
        <h1 tabIndex={-1} className="text-3xl sm:text-4xl">
          {header}
        </h1>
        <div className="mt-3 max-w-card space-y-6">{body}</div>
      </div>
    ),
  };
}
