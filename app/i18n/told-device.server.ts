/** Short words, numbers of at most three digits in a row, and nothing that a mail program makes a link of. */
const PLAIN_NAME = /^(?!.*\d{4})(?!.*\.\p{L})[\p{L}\d ,.]{1,60}$/u;

/**
 * A device's name as a notice tells it: "Firefox 128, Windows 10". It comes from what a browser says of itself, so
 * anything else than a plain name is left out: nobody can put a number to call or an address into our messages.
 */
export function toldDevice(name: string | undefined): string | undefined {
  return name !== undefined && PLAIN_NAME.test(name) ? name : undefined;
}
