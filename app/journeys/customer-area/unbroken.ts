/** A day inside a sentence: it never breaks apart. */
export function unbroken(day: string): string {
  return day.replaceAll(" ", "\u00A0");
}
