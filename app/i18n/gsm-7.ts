/** GSM 03.38 letters that take one septet; a text message has 160 of them … */
const BASIC = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?" +
    "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);
/** … and those that take two. */
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
