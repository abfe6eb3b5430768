/** Short words, numbers of at most three digits in a row, and nothing that a mail program makes a link of. */
const PLAIN_NAME = /^(?!.*\d{4})(?!.*\.\p{L})[\p{L}\d ,.]{1,60}$/u;

/**
 * A device's name for a notice: "Firefox 128, Windows 10". It comes from the User-Agent, so anything but a plain name is
 * left out: otherwise an attacker could put a phone number or a link into our messages.
 */
export function plainDeviceName(name: string | undefined): string | undefined {
  return name !== undefined && PLAIN_NAME.test(name) ? name : undefined;
}
