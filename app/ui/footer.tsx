import { PhoneLinks } from "./phone-links";
import { PlainLink } from "./text-link";

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
  readonly copyright: string;
  readonly version: string;
}

/** The footer (specification §2, Layout). */
export function Footer({ label, documents, languages, helpline, copyright, version }: FooterProps) {
  return (
    <footer aria-label={label} className="bg-band text-sm text-band-muted">
      <div className="page-grid py-8">
        <ul className="lg:flex">
          {documents.map((document) => (
            <li key={document.href} className="lg:mr-8">
              <a
                href={document.href}
                className="inline-block py-3 text-white underline"
                {...opening(document)}
              >
                {`${document.text} `}
                <span className="text-band-muted">{`(${document.note})`}</span>
              </a>
            </li>
          ))}
          {languages.map(({ href, lang, text }, nth) => (
            <li key={lang} className={nth === 0 ? "lg:ml-auto" : "lg:ml-8"}>
              <a href={href} lang={lang} hrefLang={lang} className="inline-block py-3 text-white underline">
                {text}
              </a>
            </li>
          ))}
        </ul>
        <p className="mt-3">
          <PhoneLinks text={helpline} />
        </p>
        <p className="mt-3">{copyright}</p>
        <p data-screen-only>{version}</p>
      </div>
    </footer>
  );
}

/** A file is downloaded; a page elsewhere opens in a new tab. */
function opening({ download }: DocumentLink) {
  return download ? { download: true } : { target: "_blank", rel: "noreferrer" };
}

/** The same links inside a text, on a light background. */
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
