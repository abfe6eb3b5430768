/** Only for parsing addresses; nothing is ever sent there. */
const HERE = "http://portal.invalid";

/**
 * An address within the portal, safe to use in a `Location`; undefined for anything that could lead elsewhere (S58).
 * Browsers take `//host`, `/\host` and `/<tab>/host` for other sites, so the address is parsed as they parse it.
 */
export function localPath(typed: string | null): string | undefined {
  if (!typed?.startsWith("/") || !URL.canParse(typed, HERE)) return undefined;
  const { origin, pathname, search } = new URL(typed, HERE);
  // By now "/.//host" has become "//host".
  return origin === HERE && !pathname.startsWith("//") ? pathname + search : undefined;
}
