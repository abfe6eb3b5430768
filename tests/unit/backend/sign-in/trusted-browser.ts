import { Browser } from "../../../contract/browser";
import type { Way } from "../../../contract/way";
import { ANNA } from "../../../demo-customers";

const COOKIE = "trusted-device";

/** A browser that the customer trusts, signed out again. */
export async function trustedBrowser(way: Way, customer = ANNA): Promise<Browser> {
  const browser = new Browser(way);
  await browser.signIn(customer, "Y");
  await browser.delete("/home/api/session");
  return browser;
}

/** The token in the cookie of a trusted device. */
export function tokenOf(browser: Browser): string {
  return browser.cookies.get(COOKIE) ?? "";
}

/** A browser with the cookies of another, but no session and this token. */
export function withToken(browser: Browser, token: string): Browser {
  const other = browser.twin();
  other.cookies.delete("session");
  other.cookies.set(COOKIE, token);
  return other;
}
