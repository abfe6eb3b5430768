import { isIP } from "node:net";
import type { FactorKind } from "~/contract/factors.server";
import type { Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";

/** The relying party of passkeys, and the only origin whose pages may use them. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

const LOCALHOST = /^localhost(:\d{1,5})?$/;

/**
 * The relying party of a call; undefined where browsers allow no passkeys: at an IP address, over plain http, or if
 * `PASSKEY_RP_ID` doesn't fit the origin. Without a public origin only localhost has passkeys.
 */
export function relyingParty(
  { factors }: Pick<Dependencies, "factors">,
  { host = "" }: Pick<Caller, "host">,
): RelyingParty | undefined {
  const origin = factors.origin ?? (LOCALHOST.test(host) ? `http://${host}` : undefined);
  if (origin === undefined || !URL.canParse(origin)) return undefined;
  const id = factors.rpId ?? new URL(origin).hostname;
  return fitsOrigin(id, origin) ? { id, origin } : undefined;
}

/** Whether browsers let pages of this origin use passkeys of this relying party (WebAuthn, "relying party id"). */
export function fitsOrigin(id: string, origin: string): boolean {
  const { hostname, protocol } = new URL(origin);
  const isLocal = hostname === "localhost";
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0 || !(isLocal || protocol === "https:")) return false;
  return hostname === id || (id.includes(".") && hostname.endsWith(`.${id}`));
}

/** The second levels of .pl below which most domains are registered: functions, then regions. */
const POLISH_SUFFIXES: readonly string[] = [
  "agro aid atm auto biz com edu gmina gov gsm info mail media miasta mil net nieruchomosci nom org pc powiat priv",
  "realestate rel sex shop sklep sos szkola targi tm tourism travel turystyka",
  "bialystok bydgoszcz bytom czest gda gdansk gdynia gliwice katowice kielce krakow lodz lublin malopolska mazowsze",
  "olsztyn opole podhale pomorze poznan radom rzeszow slask sopot szczecin torun warszawa waw wroc wroclaw zgora",
].flatMap((names) => names.split(" "));
/** The usual ones of other countries, such as co.uk. */
const FOREIGN_SUFFIXES: readonly string[] = ["ac", "co", "com", "edu", "gov", "org"];

/**
 * Whether anyone can register domains below this one: browsers refuse it as a relying party. The list of all such names
 * changes weekly; this knows the names that an operator in Poland may use by mistake.
 */
export function isPublicSuffix(id: string): boolean {
  const [second = "", top, ...more] = id.split(".");
  if (top === undefined) return id !== "localhost";
  if (more.length > 0) return false;
  if (top === "pl") return POLISH_SUFFIXES.includes(second);
  return top.length === 2 && FOREIGN_SUFFIXES.includes(second);
}

/** Whether passkeys sign in, in a call. Existing passkeys do, even where none can be added. */
export function passkeysSignIn(deps: Pick<Dependencies, "factors">, caller: Pick<Caller, "host">): boolean {
  return deps.factors.passkeysSignIn && relyingParty(deps, caller) !== undefined;
}

/** The kinds of factors that can be added in a call. */
export function offeredKinds(
  deps: Pick<Dependencies, "factors">,
  caller: Pick<Caller, "host">,
): readonly FactorKind[] {
  return deps.factors.offered.filter(
    (kind) => kind !== "passkey" || relyingParty(deps, caller) !== undefined,
  );
}
