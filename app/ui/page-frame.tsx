import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { InfoCircle, SignOut } from "./icons";
import { PhoneLinks } from "./phone";
import { PlainLink } from "./text-link";

/** The insurer's name and logo, at the top of every page. */
export interface BrandMarkProps {
  readonly name: string;
  readonly second: string;
  readonly logo: string | undefined;
}

/** The mark with the name beside it: an arch over a person, or the insurer's own logo (an SVG, decorative). */
export function BrandMark({ name, second, logo }: BrandMarkProps) {
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
        <span className="block font-heading text-2xl font-bold leading-6 text-ink">{name}</span>{" "}
        <span className="block text-xs text-muted">{second}</span>
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

/** Tells visitors on every page that nothing here is real, and links the SMS outbox if there is one. */
export function DemoRibbon({
  text,
  outbox,
}: {
  readonly text: string;
  readonly outbox: { readonly text: string; readonly newTab: string } | undefined;
}) {
  return (
    <p data-screen-only className="bg-accent-tint py-1 text-sm text-ink">
      <span className="page-grid block">
        {text}
        {outbox && (
          <>
            {" "}
            <a
              href="/demo/sms"
              target="_blank"
              rel="noreferrer"
              className="whitespace-nowrap py-1 font-semibold text-accent-text underline"
            >
              {outbox.text}
              <span className="sr-only">{` (${outbox.newTab})`}</span>
            </a>
          </>
        )}
      </span>
    </p>
  );
}

interface AnnouncementProps {
  /** The region's name for screen readers. */
  readonly label: string;
  readonly text: string;
  /** If the text is not in the page's language. */
  readonly lang?: string | undefined;
}

/**
 * The insurer's announcement, between the header and the content: a landmark, so that people with a screen reader meet
 * it before the content and can find it again. It is there from the start, so it isn't read out by itself.
 */
export function Announcement({ label, text, lang }: AnnouncementProps) {
  return (
    <section
      aria-label={label}
      data-screen-only
      className="border-b-2 border-accent bg-accent-tint py-3 text-ink"
    >
      <div className="page-grid flex">
        <InfoCircle className="mr-3 h-6 w-6 flex-none text-accent-text" />
        <p lang={lang} className="min-w-0 break-words">
          <PhoneLinks text={text} />
        </p>
      </div>
    </section>
  );
}

/** Signed-in customers also see their name, the sign-out link and the menu. */
interface HeaderProps {
  /** Above everything else: a notice about the whole portal. */
  readonly ribbon?: ReactNode;
  readonly brand: BrandMarkProps;
  readonly home: { readonly href: string; readonly label: string };
  readonly customer?:
    | { readonly signedInAs: string; readonly signOut: string; readonly signOutHref: string }
    | undefined;
  readonly menu?: MenuProps | undefined;
}

/** The menu of the customer area; `current` marks the open page, or the part that it belongs to. */
interface MenuProps {
  readonly label: string;
  readonly entries: readonly {
    readonly href: string;
    readonly text: string;
    readonly current: "page" | boolean;
  }[];
}

/** The header (specification §2, Layout). */
export function Header({ ribbon, brand, home, customer, menu }: HeaderProps) {
  return (
    <header className="border-b border-line bg-card">
      {ribbon}
      <div
        className={`page-grid flex min-h-[4rem] flex-wrap items-center justify-between ${customer ? "pt-2 sm:pt-0" : ""}`}
      >
        <Link to={home.href} aria-label={home.label} className="rounded-control py-1 no-underline">
          <BrandMark {...brand} />
        </Link>
        {customer && (
          <>
            {/* On a phone it has its own line. A long name is cut with an ellipsis (F3); My Data shows it whole. */}
            <p className="order-last w-full min-w-0 truncate pb-2 text-sm sm:order-none sm:mx-3 sm:w-auto sm:flex-1 sm:pb-0 sm:text-right">
              {customer.signedInAs}
            </p>
            <a
              href={customer.signOutHref}
              className="flex min-h-button-md items-center rounded-control pl-3 font-semibold text-link underline hover:text-ink"
            >
              <SignOut className="mr-2 h-6 w-6" />
              <span>{customer.signOut}</span>
            </a>
          </>
        )}
      </div>
      {menu && <Menu {...menu} />}
    </header>
  );
}

function Menu({ label, entries }: MenuProps) {
  return (
    <nav aria-label={label} className="border-t border-line">
      <ul className="page-grid flex flex-wrap justify-between sm:justify-start">
        {entries.map((entry) => (
          <li key={entry.href} className="mr-3 last:mr-0 sm:mr-8">
            <Link
              to={entry.href}
              aria-current={entry.current || undefined}
              className={`block min-h-[3rem] border-b-4 pt-3 font-semibold ${entry.current ? "border-accent text-ink" : "border-transparent text-link hover:border-line"}`}
            >
              {entry.text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A link to one of the insurer's documents. */
export interface DocumentLink {
  readonly href: string;
  readonly text: string;
  /** "PDF, 45 kB", or "opens in a new tab". */
  readonly note: string;
  readonly download: boolean;
}

/** A link to this page in another language. Its text is in that language, so that its readers find it. */
export interface LanguageLink {
  readonly href: string;
  readonly text: string;
  readonly lang: string;
}

interface FooterProps {
  readonly label: string;
  readonly documents: readonly DocumentLink[];
  readonly languages: readonly LanguageLink[];
  readonly helpline: string;
  /** The number that helps after damage at any hour, if the insurer has one. */
  readonly always: string | undefined;
  readonly copyright: string;
  readonly version: string;
}

/** The footer (specification §2, Layout). */
export function Footer({ label, documents, languages, helpline, always, copyright, version }: FooterProps) {
  return (
    <footer aria-label={label} className="bg-band text-sm text-band-muted">
      <div className="page-grid py-2 sm:py-6">
        <ul className="-ml-5 flex flex-wrap lg:-ml-8">
          {documents.map((document) => (
            <li key={document.href} className="ml-5 lg:ml-8">
              <a
                href={document.href}
                className="-my-0.5 inline-block py-3 text-white underline"
                {...opening(document)}
              >
                {`${document.text} `}
                {/* On a phone there is no room for it. */}
                <span className="sr-only text-band-muted sm:not-sr-only">{`(${document.note})`}</span>
              </a>
            </li>
          ))}
          {languages.map(({ href, lang, text }, nth) => (
            <li key={lang} className={nth === 0 ? "ml-5 lg:ml-auto" : "ml-5 lg:ml-8"}>
              <a
                href={href}
                lang={lang}
                hrefLang={lang}
                className="-my-0.5 inline-block py-3 text-white underline"
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
        <p className="mt-1 sm:mt-3">
          <PhoneLinks text={helpline} />
        </p>
        {always !== undefined && (
          <p data-screen-only className="mt-1">
            <PhoneLinks text={always} />
          </p>
        )}
        <p className="mt-1 text-xs sm:mt-3 sm:text-sm">
          {copyright} <span data-screen-only>{version}</span>
        </p>
      </div>
    </footer>
  );
}

/** A file is downloaded; a page elsewhere opens in a new tab. */
function opening({ download }: DocumentLink) {
  return download ? { download: true } : { target: "_blank", rel: "noreferrer" };
}

/** The footer's documents as a list within a text, on a light background. */
export function DocumentList({ documents }: { readonly documents: readonly DocumentLink[] }) {
  return (
    <ul className="list-disc pl-6">
      {documents.map((document) => (
        <li key={document.href}>
          <PlainLink href={document.href} {...opening(document)}>
            {document.text}
          </PlainLink>{" "}
          <span className="inline-block text-sm text-muted">{`(${document.note})`}</span>
        </li>
      ))}
    </ul>
  );
}
