import { isToken } from "../secrets/keyed-hashes.server";

/** The backend's cookies. Each holds a random token and nothing else. */
export type CookieName = "session" | "browser" | "trusted-device";

/** A cookie for the browser. Without an age (in seconds) it lasts until the browser is closed; 0 deletes it. */
export interface Cookie {
  readonly name: CookieName;
  readonly value: string;
  readonly maxAge?: number;
}

/** Reads and writes the cookies, as the scheme of the public origin has it: `__Host-` and Secure need https (S53). */
export interface Cookies {
  /** The tokens that a request carries; what doesn't look like one is not there. */
  read(request: Request): Partial<Record<CookieName, string>>;
  /** A `Set-Cookie` line. */
  line(cookie: Cookie): string;
}

/** The cookies of a portal at this origin. */
export function cookiesAt(publicOrigin: string | undefined): Cookies {
  const isSecure = publicOrigin?.startsWith("https:") === true;
  const nameOf = (name: CookieName) => (isSecure ? `__Host-${name}` : name);
  const names = new Map(
    (["session", "browser", "trusted-device"] as const).map((name) => [nameOf(name), name]),
  );
  return {
    read(request) {
      const found: Partial<Record<CookieName, string>> = {};
      for (const pair of (request.headers.get("Cookie") ?? "").split(";")) {
        const equals = pair.indexOf("=");
        const name = names.get(pair.slice(0, equals).trim());
        const value = pair.slice(equals + 1).trim();
        if (name && found[name] === undefined && isToken(value)) found[name] = value;
      }
      return found;
    },
    line({ name, value, maxAge }) {
      const age = maxAge === undefined ? "" : `; Max-Age=${maxAge}`;
      return `${nameOf(name)}=${value}${age}; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
    },
  };
}
