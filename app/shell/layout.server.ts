import { statSync } from "node:fs";
import { LABEL, type PageWords } from "~/enhancements/page-words";
import { WARNING_MINUTES } from "~/enhancements/session-clock";
import type { Announcement } from "~/contract/announcements.server";
import { DEFAULT_LANGUAGE, type Language, otherLanguages } from "~/i18n/languages";
import { fileSize, yearInPoland } from "~/i18n/times.server";
import { oncePerLanguage, textsIn, type Translate, words } from "~/i18n/texts.server";
import { brand } from "~/platform/config/brand.server";
import { VERSION } from "~/platform/release.server";
import { environment } from "~/platform/config/environment.server";
import { publicFile } from "~/platform/config/public-files.server";
import type { DocumentLink, LanguageLink } from "~/ui/page-frame";

/** The title of a sign-in screen: "Potwierdzenie logowania – Logowanie klienta | Tarnea …" (C-02). */
export function signInTitle(t: Translate, page: string): string {
  return t("common:app.titlePage", { page, brand: brand().name });
}

/** The title of a problem's page: its heading, after the word for an error. */
export function problemTitle(t: Translate, header: string): string {
  return t("common:app.titleError", { title: signInTitle(t, header) });
}

/** The title of a screen of the customer area. */
export function customerTitle(t: Translate, page: string): string {
  return t("common:app.titleCp", { page, brand: brand().name });
}

/** The data of the warning before the end of a session: how long sessions last, and its words. */
export function sessionWords(t: Translate) {
  return { limits: limits(), warning: warningIn(t) };
}

function limits() {
  const { SESSION_IDLE_SECONDS, SESSION_MAX_SECONDS } = environment().limits;
  return { idleSeconds: SESSION_IDLE_SECONDS, maxSeconds: SESSION_MAX_SECONDS };
}

const warningIn = oncePerLanguage((t) => ({
  ...words(t, {
    title: "common:session.warnTitle",
    soon: "common:session.warnSoon",
    stay: "common:action.stayLoggedIn",
    signOut: "layout:header.logout",
    close: "common:action.close",
  }),
  text: t("common:session.warnText", { count: WARNING_MINUTES }),
}));

/** Links to this page in the other languages. `here`: its path and query, to return to. */
export function languageLinks(
  languages: readonly Pick<LanguageLink, "lang" | "text">[],
  here: string,
): readonly LanguageLink[] {
  const back = encodeURIComponent(here);
  return languages.map(({ lang, text }) => ({ href: `/language/${lang}?back=${back}`, lang, text }));
}

/**
 * The surroundings of every page: brand, announcement, documents, helpline, year, version, the demo ribbon
 * (specification §2 "Layout").
 */
export function layoutOf(t: Translate, announcement?: Announcement) {
  return {
    ...steadyLayoutOf(t),
    announcement: announcement && announcementIn(t, announcement),
    copyright: copyrightIn(t, yearInPoland(Date.now())),
  };
}

/** The announcement in the page's language, or else in Polish. */
function announcementIn(t: Translate, { text, textEn }: Announcement) {
  const written: Partial<Record<Language, string>> = { pl: text, en: textEn };
  const own = written[t.language];
  return {
    label: t("common:announcement.label"),
    text: withPhonesWhole(own ?? text),
    lang: own === undefined ? DEFAULT_LANGUAGE : undefined,
  };
}

function copyrightIn(t: Translate, year: string): string {
  const known = copyrightsOf(t);
  return (known[year] ??= t("layout:footer.copyright", { year, brand: brand().name }));
}

/** The copyright line by year. */
const copyrightsOf = oncePerLanguage((): Record<string, string> => ({}));

/** The header's words for a signed-in customer: their name, the menu, and the question before signing out. */
export function customerHeaderOf(t: Translate, name: string) {
  return { signedInAs: t("layout:header.loggedAs", { name }), words: customerWordsOf(t) };
}

/** Spells phone numbers as pages do, so that they dial and never wrap. Operators type plain spaces. */
function withPhonesWhole(text: string): string {
  return allPhones().reduce((read, phone) => read.replaceAll(phone.replaceAll("\u00A0", " "), phone), text);
}

const customerWordsOf = oncePerLanguage((t) =>
  words(t, {
    signOut: "layout:header.logout",
    menu: "layout:nav.label",
    policies: "layout:nav.policies",
    profile: "layout:nav.data",
    contact: "layout:nav.contact",
    askHeader: "layout:logoutModal.header",
    askMessage: "layout:logoutModal.message",
    askBack: "layout:logoutModal.back",
    askConfirm: "layout:logoutModal.confirm",
  }),
);

/** Everything but the year. */
const steadyLayoutOf = oncePerLanguage((t) => {
  const { PORTAL_MODE, BACKEND_URL } = environment();
  return {
    words: words(t, { skip: "common:a11y.skip", footerLabel: "layout:footer.label" }),
    forScripts: wordsForScripts(t),
    errorWord: t("common:a11y.error"),
    lost: words(t, { title: "common:connection.title", text: "common:connection.text" }),
    oneTab: words(t, {
      header: "signIn:error.oneTabHeader",
      only: "signIn:error.oneTabOnly",
      text: "signIn:error.oneTabText",
      retry: "signIn:error.oneTabRetry",
    }),
    brand: { ...brand().wordmark, logo: brand().logo },
    homeLabel: t("layout:header.logoAlt", { brand: brand().name }),
    errorPrefix: t("common:app.titleError", { title: "" }),
    titleHome: t("common:app.titleHome", { brand: brand().name }),
    documents: documentLinks(t),
    languages: otherLanguages(t.language).map((lang) => ({
      lang,
      text: textsIn(lang)("common:language.name"),
    })),
    helpline: t("common:helpline.line"),
    always: helpAtAnyHour(t),
    phones: allPhones(),
    version: t("layout:footer.version", { version: VERSION }),
    ribbon:
      PORTAL_MODE === "demo"
        ? {
            text: t("common:demo.ribbon"),
            // We can't show an attached backend's messages.
            outbox:
              BACKEND_URL === undefined
                ? words(t, { text: "common:demo.outbox", newTab: "common:a11y.newWindow" })
                : undefined,
          }
        : undefined,
  };
});

/** The number that helps after damage at any hour, if the insurer has one: for those who can't sign in, too. */
export function helpAtAnyHour(t: Translate): string | undefined {
  const phone = brand().claims.assistance;
  return phone === undefined ? undefined : t("common:helpline.always", { phone });
}

/** Every number that a text may name. */
function allPhones(): readonly string[] {
  const { phones, claims } = brand();
  const { phone, assistance = phone } = claims;
  return [...new Set([...phones, phone, assistance])];
}

/** The words that scripts say on any page (enhancements/page.ts). */
function wordsForScripts(t: Translate): PageWords {
  const label = LABEL;
  return {
    ...words(t, {
      wait: "common:loading.default",
      slow: "common:loading.slow",
      show: "common:field.show",
      hide: "common:field.hide",
      shown: "common:field.charsShown",
      hidden: "common:field.charsHidden",
      capsLock: "common:field.capsLock",
    }),
    errorPrefix: t("common:app.titleError", { title: "" }),
    showField: t("common:field.showChars", { label }),
    hideField: t("common:field.hideChars", { label }),
  };
}

/** The three documents of the footer: two PDFs and the privacy policy on the insurer's own site. */
export function documentLinks(t: Translate): readonly DocumentLink[] {
  const { terms, cookies, privacy } = brand().documents;
  return [
    documentLink(t, terms, t("layout:footer.terms")),
    documentLink(t, cookies, t("layout:footer.cookies")),
    documentLink(t, privacy, t("layout:footer.privacy")),
  ];
}

/** The portal's own files are downloaded and show their size; links elsewhere open in a new tab. */
function documentLink(t: Translate, href: string, text: string): DocumentLink {
  return href.startsWith("/")
    ? {
        href,
        text,
        note: t("common:a11y.pdf", { size: fileSize(t, statSync(publicFile(href)).size) }),
        download: true,
      }
    : { href, text, note: t("common:a11y.newWindow"), download: false };
}
