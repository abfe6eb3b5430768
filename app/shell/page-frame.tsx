import { statSync } from "node:fs";
import { useLocation } from "@remix-run/react";
import { Link } from "react-router-dom";
import type { Announcement } from "~/contract/announcements.server";
import { DEFAULT_LANGUAGE, type Language, otherLanguages } from "~/i18n/languages";
import { textsIn, type Translate } from "~/i18n/texts.server";
import { fileSize, yearInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { brand } from "~/platform/config/brand.server";
import { environment } from "~/platform/config/environment.server";
import { publicFile } from "~/platform/config/public-files.server";
import { InfoCircle, SignOut } from "~/ui/icons";
import { PhoneLinks, shownPhones } from "~/ui/phone";
import { PlainLink } from "~/ui/text-link";
import { SIGN_OUT_ID } from "./sign-out-question";

/** What the head of every page says, problem pages included. Search engines list none of them. */
export function PageMeta() {
  return (
    <>
      <meta charSet="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
    </>
  );
}

/** The mark with the insurer's name beside it: an arch over a person, or the insurer's own logo (an SVG, decorative). */
export function BrandMark() {
  const { wordmark, logo } = brand();
  return (
    <span className="flex items-center">
      {logo === undefined ? (
        <Arch />
      ) : (
        // Comes from the operator; read and checked at startup.
        <span
          aria-hidden="true"
          className="brand-logo mr-2.5 flex-none"
          dangerouslySetInnerHTML={{ __html: logo }}
        />
      )}
      <span className="block leading-tight">
        <span className="block font-heading text-2xl font-bold leading-6 text-ink">{wordmark.name}</span>{" "}
        <span className="block text-xs text-muted">{wordmark.second}</span>
      </span>
    </span>
  );
}

function Arch() {
  return (
    <svg viewBox="0 0 40 40" width="36" height="36" aria-hidden="true" className="mr-2.5 flex-none">
      <path className="fill-art-main" d="M2 25a18 18 0 0 1 36 0h-8a10 10 0 0 0-20 0z" />
      <path className="fill-art-soft" d="M10 25a10 10 0 0 1 20 0h-5a5 5 0 0 0-10 0z" />
      <circle cx="20" cy="31" r="4.5" className="fill-accent" />
    </svg>
  );
}

/** Tells visitors on every page of a demo that nothing here is real, and links the SMS outbox if there is one. */
function DemoRibbon() {
  const t = useTexts();
  const { PORTAL_MODE, BACKEND_URL } = environment();
  if (PORTAL_MODE !== "demo") return null;
  return (
    <p data-screen-only className="bg-accent-tint py-1 text-sm text-ink">
      <span className="page-grid block">
        {t("common:demo.ribbon")}
        {/* We can't show an attached backend's messages. */}
        {BACKEND_URL === undefined && (
          <>
            {" "}
            <a
              href="/demo/sms"
              target="_blank"
              rel="noreferrer"
              className="whitespace-nowrap py-1 font-semibold text-accent-text underline"
            >
              {t("common:demo.outbox")}
              <span className="sr-only">{` (${t("common:a11y.newWindow")})`}</span>
            </a>
          </>
        )}
      </span>
    </p>
  );
}

/**
 * The insurer's announcement, between the header and the content: a landmark, so that people with a screen reader meet
 * it before the content and can find it again. It is there from the start, so it isn't read out by itself. In the page's
 * language, or else in Polish.
 */
export function AnnouncementBox({ text, textEn }: Announcement) {
  const t = useTexts();
  const written: Partial<Record<Language, string>> = { pl: text, en: textEn };
  const own = written[t.language];
  return (
    <section
      aria-label={t("common:announcement.label")}
      data-screen-only
      className="border-b-2 border-accent bg-accent-tint py-3 text-ink"
    >
      <div className="page-grid flex">
        <InfoCircle className="mr-3 h-6 w-6 flex-none text-accent-text" />
        <p lang={own === undefined ? DEFAULT_LANGUAGE : undefined} className="min-w-0 break-words">
          <PhoneLinks text={withPhonesWhole(own ?? text)} />
        </p>
      </div>
    </section>
  );
}

/** Spells phone numbers as pages do, so that they dial and never wrap. Operators type plain spaces. */
function withPhonesWhole(text: string): string {
  return shownPhones().reduce((read, phone) => read.replaceAll(phone.replaceAll("\u00A0", " "), phone), text);
}

interface HeaderProps {
  /** The address that the insurer's name leads to. */
  readonly home: string;
  /** The signed-in customer's name. They also see the sign-out link and the menu. */
  readonly customer: string | undefined;
}

/** The header (specification §2, Layout). */
export function Header({ home, customer }: HeaderProps) {
  const t = useTexts();
  return (
    <header className="border-b border-line bg-card">
      <DemoRibbon />
      <div
        className={`page-grid flex min-h-[4rem] flex-wrap items-center justify-between ${customer === undefined ? "" : "pt-2 sm:pt-0"}`}
      >
        <Link to={home} aria-label={t("layout:header.logoAlt")} className="rounded-control py-1 no-underline">
          <BrandMark />
        </Link>
        {customer !== undefined && (
          <>
            {/* On a phone it has its own line. A long name is cut with an ellipsis (F3); My Data shows it whole. */}
            <p className="order-last w-full min-w-0 truncate pb-2 text-sm sm:order-none sm:mx-3 sm:w-auto sm:flex-1 sm:pb-0 sm:text-right">
              {t("layout:header.loggedAs", { name: customer })}
            </p>
            <a
              href={`#${SIGN_OUT_ID}`}
              className="flex min-h-button-md items-center rounded-control pl-3 font-semibold text-link underline hover:text-ink"
            >
              <SignOut className="mr-2 h-6 w-6" />
              <span>{t("layout:header.logout")}</span>
            </a>
          </>
        )}
      </div>
      {customer !== undefined && <Menu />}
    </header>
  );
}

/** The menu of the customer area. */
function Menu() {
  const t = useTexts();
  return (
    <nav aria-label={t("layout:nav.label")} className="border-t border-line">
      <ul className="page-grid flex flex-wrap justify-between sm:justify-start">
        <MenuEntry href="/cp" text={t("layout:nav.policies")} />
        <MenuEntry href="/cp/profile" text={t("layout:nav.data")} />
        <MenuEntry href="/cp/contact" text={t("layout:nav.contact")} />
      </ul>
    </nav>
  );
}

/** Marks the open page, or the part that it belongs to. */
function MenuEntry({ href, text }: { readonly href: string; readonly text: string }) {
  const { pathname } = useLocation();
  const current = pathname === href ? "page" : partOf(pathname) === href;
  return (
    <li className="mr-3 last:mr-0 sm:mr-8">
      <Link
        to={href}
        aria-current={current || undefined}
        className={`block min-h-[3rem] border-b-4 pt-3 font-semibold ${current ? "border-accent text-ink" : "border-transparent text-link hover:border-line"}`}
      >
        {text}
      </Link>
    </li>
  );
}

/** The entry of the menu that a page without its own belongs to: a policy to the policies, a change to My Data. */
function partOf(pathname: string): string {
  if (pathname.startsWith("/cp/policy/")) return "/cp";
  if (pathname.startsWith("/home/") || pathname === "/cp/not-me") return "/cp/profile";
  return pathname.replace(/\/$/, "");
}

/** One of the insurer's documents. */
interface InsurersDocument {
  readonly href: string;
  readonly text: string;
}

/** The footer (specification §2, Layout). @param here the page's path and query, to return to in another language */
export function Footer({ here }: { readonly here: string }) {
  const t = useTexts();
  const { terms, cookies, privacy } = brand().documents;
  const documents: readonly InsurersDocument[] = [
    { href: terms, text: t("layout:footer.terms") },
    { href: cookies, text: t("layout:footer.cookies") },
    { href: privacy, text: t("layout:footer.privacy") },
  ];
  return (
    <footer aria-label={t("layout:footer.label")} className="bg-band text-sm text-band-muted">
      <div className="page-grid py-2 sm:py-6">
        <ul className="-ml-5 flex flex-wrap lg:-ml-8">
          {documents.map(({ href, text }) => (
            <li key={href} className="ml-5 lg:ml-8">
              <a href={href} className="-my-0.5 inline-block py-3 text-white underline" {...opening(href)}>
                {`${text} `}
                {/* On a phone there is no room for it. */}
                <span className="sr-only text-band-muted sm:not-sr-only">{`(${noteOn(t, href)})`}</span>
              </a>
            </li>
          ))}
          <li className="ml-5 lg:ml-8">
            <a href="/home/accessibility" className="-my-0.5 inline-block py-3 text-white underline">
              {t("accessibility:title")}
            </a>
          </li>
          {otherLanguages(t.language).map((language, nth) => (
            <li key={language} className={nth === 0 ? "ml-5 lg:ml-auto" : "ml-5 lg:ml-8"}>
              {/* In that language, so that its readers find it. */}
              <a
                href={`/language/${language}?back=${encodeURIComponent(here)}`}
                lang={language}
                hrefLang={language}
                className="-my-0.5 inline-block py-3 text-white underline"
              >
                {textsIn(language)("common:language.name")}
              </a>
            </li>
          ))}
        </ul>
        <p className="mt-1 sm:mt-3">
          <PhoneLinks text={t("common:helpline.line")} />
        </p>
        {brand().claims.assistance !== undefined && (
          <p data-screen-only className="mt-1">
            <PhoneLinks text={t("common:helpline.always")} />
          </p>
        )}
        <p className="mt-1 text-xs sm:mt-3 sm:text-sm">
          {t("layout:footer.copyright", { year: yearInPoland(Date.now()) })}{" "}
          <span data-screen-only>{t("layout:footer.version")}</span>
        </p>
      </div>
    </footer>
  );
}

/** The documents about cookies and terms as a list within a text, on a light background. */
export function DocumentList() {
  const t = useTexts();
  const { terms, cookies } = brand().documents;
  return (
    <ul className="list-disc pl-6">
      <DocumentItem href={cookies} text={t("layout:footer.cookies")} />
      <DocumentItem href={terms} text={t("layout:footer.terms")} />
    </ul>
  );
}

function DocumentItem({ href, text }: InsurersDocument) {
  return (
    <li>
      <PlainLink href={href} {...opening(href)}>
        {text}
      </PlainLink>{" "}
      <span className="inline-block text-sm text-muted">{`(${noteOn(useTexts(), href)})`}</span>
    </li>
  );
}

/** Whether an address is one of the portal's files. */
function isOwn(href: string): boolean {
  return href.startsWith("/");
}

/** A file is downloaded; a page elsewhere opens in a new tab. */
function opening(href: string) {
  return isOwn(href) ? { download: true } : { target: "_blank", rel: "noreferrer" };
}

/** "PDF, 45 kB", or "opens in a new tab". */
function noteOn(t: Translate, href: string): string {
  return isOwn(href) ? t("common:a11y.pdf", { size: fileSize(t, sizeOf(href)) }) : t("common:a11y.newWindow");
}

/** In bytes. Files of a release don't change. */
const sizes = new Map<string, number>();

function sizeOf(href: string): number {
  const size = sizes.get(href) ?? statSync(publicFile(href)).size;
  sizes.set(href, size);
  return size;
}
