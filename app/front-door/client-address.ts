import { BlockList, isIP } from "node:net";

/** So many hops are read from the right at most: a header full of trusted addresses is no way to spend our time. */
const MAX_HOPS = 16;
/** Stands for a peer that was gone before it could be asked. */
const NOBODY = "0.0.0.0";
const MAPPED = "::ffff:";

/** The proxies whose word about a client is believed: addresses and CIDR blocks, IPv4 or IPv6. */
export class TrustedProxies {
  readonly #list = new BlockList();
  readonly #empty: boolean;

  /** @throws Error naming TRUSTED_PROXIES where an entry is neither an address nor a CIDR block. */
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

  /** Whether an address, in the form that `plainAddress` gives, is one of the proxies. */
  has(address: string): boolean {
    return !this.#empty && this.#list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
  }
}

/**
 * The address of a connection's other end, in one form: IPv4 where it is IPv4 (`::ffff:192.0.2.1` → `192.0.2.1`),
 * without a zone. `0.0.0.0` when the other end is already gone.
 */
export function peerAddress(remote: string | undefined): string {
  return remote === undefined ? NOBODY : (plainAddress(remote) ?? NOBODY);
}

/**
 * Who sent a request: the rightmost address of X-Forwarded-For that is not a trusted proxy, and only where the peer
 * is one (S60). Everything further left was written by that client and proves nothing. An entry that is no address
 * ends the search at the hop that reported it.
 * @param peer what `peerAddress` gave
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
    const before = plainAddress(forwardedFor.slice(comma + 1, end).trim());
    if (before === undefined) return client;
    client = before;
    end = comma;
  }
  return client;
}

/** One entry of a forwarding header as a bare address: no port, brackets, zone or IPv4-in-IPv6; else undefined. */
function plainAddress(entry: string): string | undefined {
  const address = isIP(entry) === 0 ? withoutPort(entry) : entry;
  const zone = address.indexOf("%");
  const bare = (zone === -1 ? address : address.slice(0, zone)).toLowerCase();
  if (bare.startsWith(MAPPED) && isIP(bare.slice(MAPPED.length)) === 4) return bare.slice(MAPPED.length);
  return isIP(bare) === 0 ? undefined : bare;
}

function withoutPort(entry: string): string {
  if (entry.startsWith("[")) return entry.slice(1, entry.indexOf("]"));
  const colon = entry.indexOf(":");
  return colon === -1 ? entry : entry.slice(0, colon);
}
