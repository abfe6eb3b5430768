import { isIPv6 } from "node:net";

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
