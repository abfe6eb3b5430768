import {
  type MailText,
  NOTICE_EVENTS,
  type NoticeEvent,
  type NoticeFacts,
  type MailTexts,
} from "~/contract/notices";
import type { Brand } from "~/platform/config/brand.server";
import type { Scheme } from "~/platform/config/palette";
import { DEFAULT_LANGUAGE, type Language, LANGUAGES } from "./languages";
import { textsIn, type Translate } from "./texts.server";
import { momentInPoland } from "./times.server";
import { plainDeviceName } from "./plain-device-name.server";

/** The insurer that sends the e-mails, and their colours. */
type Sender = Pick<Brand, "name">;
type Colours = Pick<Scheme, "page" | "card" | "line" | "ink" | "muted" | "band" | "accent">;

/** An e-mail in one language: a heading and some paragraphs. */
interface Part {
  readonly language: Language;
  readonly heading: string;
  readonly paragraphs: readonly string[];
  readonly footer: string;
}

/**
 * Each e-mail notice, as text and as HTML: in Polish, then in every other language, because the backend doesn't know the
 * customer's. It says what happened, when in Poland, on which device or what kind, and whom to call. It has no
 * customer's name, no number and no link (S149).
 */
export function mailTexts({ name }: Sender, colours: Colours) {
  const text =
    (event: NoticeEvent) =>
    ({ at, deviceName, detail }: NoticeFacts) => {
      const when = new Date(at).toISOString();
      const device = event === "device-trusted" ? plainDeviceName(deviceName) : undefined;
      return mailOf(name, colours, (t) => ({
        heading: detail ? t(`mail:which.${detail}.title`) : t(`mail:notice.${event}.title`),
        paragraphs: [
          detail ? t(`mail:which.${detail}.text`) : t(`mail:notice.${event}.text`),
          ...(device ? [t("mail:device", { device })] : []),
          t("mail:when", { when: momentInPoland(t, when) }),
          t("mail:notYou"),
        ],
        footer: t("mail:footer", { brand: name }),
      }));
    };
  return Object.fromEntries(NOTICE_EVENTS.map((event) => [event, text(event)])) as MailTexts;
}

/** The e-mail of `portal send-test --mail`. */
export function testMail({ name }: Sender, colours: Colours) {
  return mailOf(name, colours, (t) => ({
    heading: t("mail:test.title"),
    paragraphs: [t("mail:test.text")],
    footer: t("mail:footer", { brand: name }),
  }));
}

function mailOf(brand: string, colours: Colours, partIn: (t: Translate) => Omit<Part, "language">): MailText {
  const languages: readonly Language[] = [
    DEFAULT_LANGUAGE,
    ...LANGUAGES.filter((language) => language !== DEFAULT_LANGUAGE),
  ];
  const parts = languages.map((language) => ({ language, ...partIn(textsIn(language)) }));
  return {
    subject: `${brand}: ${parts[0]?.heading ?? ""}`,
    text: parts.map(inText).join("\n\n* * *\n\n"),
    html: inHtml(brand, colours, parts),
  };
}

function inText({ heading, paragraphs, footer }: Part): string {
  return [heading, ...paragraphs, footer].join("\n\n");
}

/** Laid out as tables, with the styles on each element: Outlook supports nothing else. */
function inHtml(brand: string, colours: Colours, parts: readonly Part[]): string {
  const { page, card, line, band, accent } = colours;
  const rows = parts.map((part) => partInHtml(part, colours)).join("");
  return `<!doctype html>
<html lang="${DEFAULT_LANGUAGE}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light"><title>${escaped(parts[0]?.heading ?? "")}</title></head>
<body style="margin:0;padding:0;background:${page}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:${page}"><tr>
<td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:${card};border:1px solid ${line};font-family:Arial,Helvetica,sans-serif">
<tr><td style="padding:20px 28px;background:${band};color:#FFFFFF;border-bottom:4px solid ${accent};font-size:20px;font-weight:bold">${escaped(brand)}</td></tr>
${rows}</table>
</td></tr></table>
</body></html>
`;
}

function partInHtml({ language, heading, paragraphs, footer }: Part, { line, ink, muted }: Colours): string {
  const paragraph = (text: string) =>
    `<p style="margin:0 0 14px;font-size:16px;line-height:1.5">${escaped(text)}</p>`;
  return `<tr><td lang="${language}" style="padding:24px 28px 14px;color:${ink};border-top:1px solid ${line}">
<h1 style="margin:0 0 14px;font-size:20px;line-height:1.3">${escaped(heading)}</h1>
${paragraphs.map(paragraph).join("\n")}
<p style="margin:0 0 10px;font-size:13px;line-height:1.5;color:${muted}">${escaped(footer)}</p>
</td></tr>
`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter);
}
