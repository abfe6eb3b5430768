import { NOTICE_EVENTS, type NoticeEvent, type NoticeFacts, type NoticeTexts } from "~/contract/notices";
import { type Purpose, PURPOSES } from "~/contract/purposes";
import { plainDeviceName } from "./plain-device-name.server";
import { textsIn } from "./texts.server";
import { timeInPoland } from "./times.server";

/** Browsers, and perhaps people, take the last digits of a message for the code, so nothing else may look like one. */
const LIKE_A_CODE = /\d{6}/;

/** A longer message costs twice as much, and may arrive in pieces. */
const ONE_SEGMENT = 160;

/**
 * The text of each SMS, in Polish, for the backend: the purpose of the code, and the code. If there is a host to bind it
 * to, and room, the last line does, so browsers fill it in only there (WICG, origin-bound one-time codes).
 */
export function smsTexts(brand: string) {
  const t = textsIn();
  const text =
    (purpose: Purpose) =>
    ({ code, host }: { readonly code: string; readonly host: string | undefined }) => {
      const words = t(`sms:${purpose}`, { code, brand });
      if (host === undefined || LIKE_A_CODE.test(host)) return words;
      const bound = `${words}\n\n@${host} #${code}`;
      return fits(bound) ? bound : words;
    };
  return Object.fromEntries(PURPOSES.map((purpose) => [purpose, text(purpose)])) as Readonly<
    Record<Purpose, ReturnType<typeof text>>
  >;
}

/** The text of `portal send-test --sms`, in Polish. */
export function testText(brand: string): string {
  return textsIn()("sms:test", { brand });
}

/** Splits a number into groups, because nothing in a notice may look like a code. */
const GROUP_OF_DIGITS = /\d{3}(?=\d)/g;

/**
 * The text of each SMS notice, in Polish: what happened, when in Poland, and whom to call. It says which device and what
 * kind, too, where that leaves it one message.
 */
export function noticeTexts(brand: string, helpline: string) {
  const t = textsIn();
  const spaced = helpline.replaceAll("\u00A0", " ");
  const number = LIKE_A_CODE.test(spaced) ? spaced.replace(GROUP_OF_DIGITS, "$& ") : spaced;
  const text =
    (event: NoticeEvent) =>
    ({ at, deviceName, detail }: NoticeFacts) => {
      const facts = { brand, when: timeInPoland(t, at).replace(",", ""), helpline: number };
      const device = event === "device-trusted" ? plainDeviceName(deviceName) : undefined;
      const named = device && t("sms:which.device", { ...facts, device });
      const which = inGsm(detail ? t(`sms:which.${detail}`, facts) : named);
      return which !== "" && fits(which) ? which : inGsm(t(`sms:notice.${event}`, facts));
    };
  return Object.fromEntries(NOTICE_EVENTS.map((event) => [event, text(event)])) as NoticeTexts;
}

/** GSM-7 has no hard space. */
function inGsm(text = ""): string {
  return text.replaceAll("\u00A0", " ");
}

/**
 * A sentence for the variable that would make a message longer than one SMS, put letters into it that GSM-7 lacks, or
 * put something into a notice that looks like a code.
 * @param helpline unless notices are off
 */
export function smsFaults(brand: string, { helpline }: { readonly helpline?: string | undefined }): string[] {
  if (!codesOf(brand, undefined).every(fits))
    return [
      "BRAND_NAME: expected a first word that keeps every text message in GSM-7 and within 160 characters",
    ];
  const notices = helpline === undefined ? [] : Object.values(noticeTexts(brand, helpline));
  const texts = notices.map((text) => text({ at: LONGEST_TIME }));
  if (!texts.every((text) => fits(text) && !LIKE_A_CODE.test(text)))
    return [
      "BRAND_NAME: expected a shorter first word, without six digits in a row: notices with the number of BRAND_PHONES have 160 characters (or SMS_NOTICES=off)",
    ];
  return [];
}

/** A sentence for the host that can't stand in every message with a code, so that phones don't offer those codes. */
export function unboundCodes(brand: string, host: string | undefined): string[] {
  if (host === undefined || codesOf(brand, host).every((text) => text.endsWith(`@${host} #${NO_CODE}`)))
    return [];
  return [
    "PUBLIC_ORIGIN: its host doesn't fit into every text message of 160 characters, so phones don't offer the codes of all; expected a shorter host or BRAND_NAME, or SMS_DOMAIN_BOUND=off",
  ];
}

const NO_CODE = "000000";

function codesOf(brand: string, host: string | undefined): readonly string[] {
  return Object.values(smsTexts(brand)).map((text) => text({ code: NO_CODE, host }));
}

/** One of the longest times: two digits for day, month, hour and minute. */
const LONGEST_TIME = Date.UTC(2026, 10, 22, 13, 5);

function fits(text: string): boolean {
  const length = septets(text);
  return length !== undefined && length <= ONE_SEGMENT;
}

/** GSM 03.38 letters that take one septet; a text message has 160 of them … */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** … and the letters that take two. */
const EXTENDED = new Set("\f^{}\\[~]|€");

/**
 * The length of a text message in septets; undefined if GSM-7 lacks one of its letters, so that only half as much fits.
 */
export function septets(text: string): number | undefined {
  let length = 0;
  for (const letter of text) {
    if (BASIC.has(letter)) length += 1;
    else if (EXTENDED.has(letter)) length += 2;
    else return undefined;
  }
  return length;
}
