/** The address that dials a Polish phone number, as it is written for people. */
export function phoneHref(phone: string): string {
  return `tel:+48${phone.replace(/\D/g, "")}`;
}
