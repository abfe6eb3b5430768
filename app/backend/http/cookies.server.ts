import { parseCookie } from "cookie";
import { isToken } from "../secrets/keyed-hashes.server";

const NAMES = ["session", "browser", "trusted-device"] as const;
/** The backend's cookies. Each holds a random token and nothing else. */
type CookieName = (typeof NAMES)[number];

/** A cookie for the browser. Without an age (in seconds) it lasts until the browser is closed; 0 deletes it. */
export interface Cookie {
  readonly name: CookieName;
  readonly value: string;
  readonly maxAge?: number;
}

/** Reads and writes the cookies. With an https origin they are `__Host-` and Secure (S53). */
export interface Cookies {
  /** The tokens in a `Cookie` header, without values that don't look like a token. */
  read(header: string | undefined): Partial<Record<CookieName, string>>;
  /** A `Set-Cookie` line. */
  readonly line: (cookie: Cookie) => string;
}

/** The cookies of a portal at this origin. */
export function cookiesAt(publicOrigin: string | undefined): Cookies {
  const isSecure = publicOrigin?.startsWith("https:") === true;
  const nameOf = (name: CookieName) => (isSecure ? `__Host-${name}` : name);
  return {
    read(header = "") {
      const sent = parseCookie(header);
      const found: Partial<Record<CookieName, string>> = {};
      for (const name of NAMES) {
        const value = sent[nameOf(name)];
        if (value !== undefined && isToken(value)) found[name] = value;
      }
      return found;
    },
    line({ name, value, maxAge }) {
      const age = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
      return `${nameOf(name)}=${value}${age}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
    },
  };
}
