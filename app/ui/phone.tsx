import { useTexts } from "~/i18n/use-texts";
import { brand } from "~/platform/config/brand.server";

/** The numbers of the helpline and for claims, as they are written in texts. */
export function shownPhones(): readonly string[] {
  const { phones, claims } = brand();
  const { phone, assistance = phone } = claims;
  return [...new Set([...phones, phone, assistance])];
}

/** A text, and the numbers in it; by default the numbers of the helpline and for claims. */
export interface PhoneLinksProps {
  readonly text: string;
  readonly phones?: readonly string[] | undefined;
}

/**
 * A text in which these numbers are links that dial them (F11). The padding makes them tall enough for a finger
 * (C-50) without moving the lines apart.
 */
export function PhoneLinks({ text, phones = shownPhones() }: PhoneLinksProps) {
  // Split at a captured group, so every other part is a number.
  const parts = text.split(new RegExp(`(${phones.join("|")})`));
  return parts.map((part, nth) =>
    nth % 2 === 0 ? (
      part
    ) : (
      <a key={nth} href={dialling(part)} className="py-3.5 underline">
        {part}
      </a>
    ),
  );
}

/** The address that dials a Polish number. A short one, such as 112, has no country code. */
export function dialling(phone: string): string {
  const digits = phone.replace(/\D/g, "");
  return digits.length > 3 ? `tel:+48${digits}` : `tel:${digits}`;
}

/** A masked number: it stays on one line, and screen readers say "kończący się na 0 0 1" instead of its dots. */
export function MaskedPhone({ shown }: { readonly shown: string }) {
  const t = useTexts();
  const digits = [...shown.replace(/[•\s]/g, "")].join(" ");
  return (
    <span role="img" aria-label={t("common:code.numberEnding", { digits })} className="whitespace-nowrap">
      {shown}
    </span>
  );
}
