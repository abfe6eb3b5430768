import { readFileSync } from "node:fs";
import { demoAssistance, withoutProlog } from "./brand-variables.server";
import { environment, type Environment } from "./environment.server";

interface Hours {
  readonly opens: number;
  readonly closes: number;
}

/** The insurer whose portal this is. */
export interface Brand {
  readonly name: string;
  /** The wordmark's two lines: the first word of the name, and the rest. */
  readonly wordmark: { readonly name: string; readonly second: string };
  /** The first word without Polish letters, so a text message keeps its full length (GSM-7). */
  readonly smsName: string;
  /** The insurer's own SVG instead of the arch. */
  readonly logo: string | undefined;
  /** The helpline's numbers as people read them, with non-breaking spaces. */
  readonly phones: readonly [string, string];
  /** When the helpline answers, Monday to Friday, in full hours. */
  readonly hours: Hours;
  readonly email: string | undefined;
  /** Where to report a page that isn't accessible, and how to complain further, in the insurer's Polish words. */
  readonly accessibility: { readonly email: string | undefined; readonly complaint: string | undefined };
  /** Where to report a claim: a number (the helpline's unless there is another), and perhaps a page elsewhere. */
  readonly claims: {
    readonly phone: string;
    /** When the number answers, if the insurer says so: Monday to Friday, in full hours. */
    readonly hours: Hours | undefined;
    readonly url: string | undefined;
    /** The number that answers around the clock, if there is one. */
    readonly assistance: string | undefined;
  };
  /** The page where a policy is renewed, elsewhere. */
  readonly renewal: string | undefined;
  /** How premiums are paid. */
  readonly payment: {
    /** The page elsewhere, with `{policyNo}` and `{amount}` where these belong. */
    readonly url: string | undefined;
    /** Whom a transfer goes to. */
    readonly recipient: string;
    /** The recipient's tax number, for a transfer's QR code. */
    readonly nip: string | undefined;
  };
  /** The primary colour, as `#RRGGBB`. */
  readonly colour: string;
  /** Addresses: one of the portal's files, or a page elsewhere. */
  readonly documents: { readonly terms: string; readonly cookies: string; readonly privacy: string };
}

/** Whether a call from Poland is free: numbers that begin with 800 are (numbering plan of UKE, the regulator). */
export function isFreeToCall(phone: string): boolean {
  return phone.startsWith("800");
}

/** The number to show where there is room for one: a free one, if there is any. */
export function helplinePhone(phones: Brand["phones"]): string {
  return phones.find(isFreeToCall) ?? phones[0];
}

const known = new WeakMap<Environment, Brand>();

/** The brand from the `BRAND_…` variables; without them, the demo's invented insurer. */
export function brand(): Brand {
  const settings = environment();
  const brand = known.get(settings) ?? read(settings);
  known.set(settings, brand);
  return brand;
}

function read(settings: Environment): Brand {
  const [name = "", ...rest] = settings.BRAND_NAME.split(" ");
  const assistance = settings.BRAND_ASSISTANCE_PHONE ?? demoAssistance(settings.BRAND_PHONES);
  const phones = [unbreakable(settings.BRAND_PHONES[0]), unbreakable(settings.BRAND_PHONES[1])] as const;
  return {
    name: settings.BRAND_NAME,
    wordmark: { name, second: rest.join(" ") },
    smsName: name.replaceAll("\u0142", "l").replaceAll("\u0141", "L").normalize("NFD").replace(/\p{M}/gu, ""),
    logo:
      settings.BRAND_LOGO === undefined
        ? undefined
        : withoutProlog(readFileSync(settings.BRAND_LOGO, "utf8")),
    phones,
    email: settings.BRAND_EMAIL,
    accessibility: {
      email: settings.BRAND_ACCESSIBILITY_EMAIL ?? settings.BRAND_EMAIL,
      complaint: settings.BRAND_ACCESSIBILITY_COMPLAINT,
    },
    claims: {
      phone: settings.BRAND_CLAIMS_PHONE ? unbreakable(settings.BRAND_CLAIMS_PHONE) : helplinePhone(phones),
      hours: settings.BRAND_CLAIMS_HOURS,
      url: settings.BRAND_CLAIMS_URL,
      assistance: assistance === undefined ? undefined : unbreakable(assistance),
    },
    renewal: settings.BRAND_RENEWAL_URL,
    payment: {
      url: settings.BRAND_PAYMENT_URL,
      recipient: settings.BRAND_PAYMENT_RECIPIENT ?? settings.BRAND_NAME,
      nip: settings.BRAND_PAYMENT_NIP,
    },
    colour: settings.BRAND_COLOR_PRIMARY,
    hours: settings.BRAND_HOURS,
    documents: {
      terms: settings.BRAND_TERMS,
      cookies: settings.BRAND_COOKIES,
      privacy: settings.BRAND_PRIVACY,
    },
  };
}

function unbreakable(phone: string): string {
  return phone.replaceAll(" ", "\u00A0");
}
