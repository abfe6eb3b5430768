import { parseCookie } from "cookie";
import type { Limits } from "~/platform/config/limits";
import { DAY, SECOND, secondsUntil } from "~/platform/time.server";
import type { Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { DEVICE_COOKIES, type DeviceTokens } from "../sign-in/trusted-devices.server";

/** The names of the backend's cookies. */
export const COOKIE_NAMES = ["session", "browser", ...DEVICE_COOKIES] as const;
/** The backend's cookies. Each holds a random token and nothing else. */
type CookieName = (typeof COOKIE_NAMES)[number];

/** A cookie for the browser. Without an age (in seconds) it lasts until the browser is closed; 0 deletes it. */
export interface Cookie {
  readonly name: CookieName;
  readonly value: string;
  readonly maxAge?: number;
}

/** The values of a caller's cookies; not checked yet for being tokens. */
export type Tokens = Readonly<Partial<Record<CookieName, string | undefined>>>;

/** The tokens that a service hands out: of a session, if it began one, and of devices whose trust changes. */
export interface Issued {
  readonly session: string | undefined;
  readonly devices?: DeviceTokens;
}

/** The cookies that a successful call sets. */
export type SetsCookies = (deps: Dependencies, caller: Caller, issued: Issued) => readonly Cookie[];

/** The cookies of new tokens. A device's lives as long as the device is trusted. */
export const issuedCookies: SetsCookies = ({ clock }, _caller, { session, devices = {} }) => {
  const changed = DEVICE_COOKIES.filter((name) => name in devices).map((name) => {
    const { token: value = "", endsAt = 0 } = devices[name] ?? {};
    return { name, value, maxAge: value === "" ? 0 : secondsUntil(endsAt, clock()) };
  });
  return [...(session === undefined ? [] : [{ name: "session", value: session } as const]), ...changed];
};

/** Renews the browser's cookie, too, so that it lives as long as the account knows the browser. */
export const confirmedCookies: SetsCookies = (deps, caller, issued) => [
  ...issuedCookies(deps, caller, issued),
  browserCookie(deps.limits, caller),
];

/** Deletes the session's cookie. */
export const signedOutCookies: SetsCookies = () => [{ name: "session", value: "", maxAge: 0 }];

/** The cookie that tells one browser from another. */
export function browserCookie({ KNOWN_BROWSER_DAYS }: Limits, { browser }: Pick<Caller, "browser">): Cookie {
  return { name: "browser", value: browser, maxAge: (KNOWN_BROWSER_DAYS * DAY) / SECOND };
}

/** Reads and writes the cookies. With an https origin they are `__Host-` and Secure (S53). */
export interface Cookies {
  /** Reads their values from a `Cookie` header. */
  readonly read: (header: string | undefined) => Tokens;
  /** A `Set-Cookie` line. */
  readonly line: (cookie: Cookie) => string;
}

/** The cookies of a portal at this origin. */
export function cookiesAt(publicOrigin: string | undefined): Cookies {
  const isSecure = publicOrigin?.startsWith("https:") === true;
  const nameOf = (name: Cookie["name"]) => (isSecure ? `__Host-${name}` : name);
  return {
    read(header = "") {
      const sent = parseCookie(header);
      return Object.fromEntries(COOKIE_NAMES.map((name) => [name, sent[nameOf(name)]]));
    },
    line({ name, value, maxAge }) {
      const age = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
      return `${nameOf(name)}=${value}${age}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
    },
  };
}
