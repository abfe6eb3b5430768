/** Only for reading addresses: nothing is ever sent there. */
const HERE = "http://portal.invalid";

/**
 * An address of the portal's own, as it may stand in a `Location`; undefined for whatever could lead elsewhere (S58).
 * Browsers take `//host`, `/\host` and `/<tab>/host` for other sites, so the address is read as they read it.
 */
export function localPath(typed: string | null): string | undefined {
  if (!typed?.startsWith("/") || !URL.canParse(typed, HERE)) return undefined;
  const { origin, pathname, search } = new URL(typed, HERE);
  // "/.//host" has become "//host" by now.
  return origin === HERE && !pathname.startsWith("//") ? pathname + search : undefined;
}
