import { BlockList, isIP, isIPv6 } from "node:net";

/** At most this many hops are read, from the right, so that a header full of trusted addresses costs little time. */
const MAX_HOPS = 16;
/** For a peer that hung up before its address could be read. */
const UNKNOWN_PEER = "0.0.0.0";
const MAPPED_PREFIX = "::ffff:";

/** The headers in which proxies describe the client. The portal reads the first, and only from a trusted proxy. */
export const FORWARDING_HEADERS = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "forwarded",
] as const;

/** The proxies we trust to name the client: addresses and CIDR blocks, IPv4 or IPv6. */
export class TrustedProxies {
  readonly #list = new BlockList();
  readonly #empty: boolean;

  /** @throws Error naming TRUSTED_PROXIES when an entry is neither an address nor a CIDR block. */
  constructor(entries: readonly string[]) {
    this.#empty = entries.length === 0;
    for (const entry of entries) {
      const [network = "", bits] = entry.split("/");
      const version = isIP(network);
      const longest = version === 6 ? 128 : 32;
      const prefix = bits === undefined ? longest : Number(bits);
      if (version === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > longest) {
        throw new Error("TRUSTED_PROXIES: expected addresses or CIDR blocks, separated by commas");
      }
      this.#list.addSubnet(network, prefix, version === 6 ? "ipv6" : "ipv4");
    }
  }

  /** Whether an address, as `plainAddress` returns it, is one of the proxies. */
  has(address: string): boolean {
    return !this.#empty && this.#list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  }
}

/**
 * The peer's address, normalized: mapped IPv4 becomes plain IPv4 (`::ffff:192.0.2.1` → `192.0.2.1`), and the zone is
 * dropped. `0.0.0.0` when the peer has already hung up.
 */
export function peerAddress(remote: string | undefined): string {
  return remote === undefined ? UNKNOWN_PEER : (plainAddress(remote) ?? UNKNOWN_PEER);
}

/**
 * The address that a request came from. If the peer is a trusted proxy, that is the rightmost address in
 * X-Forwarded-For that isn't one (S60): everything further left was written by that client and proves nothing. An entry
 * that is not an address ends the search at the hop that reported it.
 * @param peer as returned by `peerAddress`
 * @param forwardedFor the header; several lines joined by commas
 */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  proxies: TrustedProxies,
): string {
  let client = peer;
  let end = forwardedFor?.length ?? 0;
  for (let hop = 0; forwardedFor !== undefined && end > 0 && hop < MAX_HOPS; hop += 1) {
    if (!proxies.has(client)) return client;
    const comma = forwardedFor.lastIndexOf(",", end - 1);
    const previousHop = plainAddress(forwardedFor.slice(comma + 1, end).trim());
    if (previousHop === undefined) return client;
    client = previousHop;
    end = comma;
  }
  return client;
}

/**
 * An entry of a forwarding header as a bare address: no port, brackets, zone or IPv4-in-IPv6; undefined if it isn't
 * one.
 */
function plainAddress(entry: string): string | undefined {
  const address = isIP(entry) === 0 ? withoutPort(entry) : entry;
  const zone = address.indexOf("%");
  const bare = (zone === -1 ? address : address.slice(0, zone)).toLowerCase();
  const mapped = bare.startsWith(MAPPED_PREFIX) ? bare.slice(MAPPED_PREFIX.length) : "";
  if (isIP(mapped) === 4) return mapped;
  return isIP(bare) === 0 ? undefined : bare;
}

function withoutPort(entry: string): string {
  if (entry.startsWith("[")) return entry.slice(1, entry.indexOf("]"));
  const colon = entry.indexOf(":");
  return colon === -1 ? entry : entry.slice(0, colon);
}

const MAPPED = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i;
const GROUPS = 8;
const OWN_GROUPS = 4;

/**
 * The bucket that an address is counted in: an IPv4 address itself, or the /64 of an IPv6 address, because a provider
 * gives each subscriber a whole /64.
 */
export function addressBucket(address: string): string {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").toLowerCase().split("::");
  const before = head.split(":").filter(Boolean);
  const after = (tail ?? "").split(":").filter(Boolean);
  const zeros = tail === undefined ? 0 : GROUPS - before.length - after.length;
  const groups = [...before, ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...after];
  const own = groups.slice(0, OWN_GROUPS).map((group) => group.replace(/^0+(?=.)/, ""));
  return `${own.join(":")}::/64`;
}
