import { describe, expect, test } from "vitest";
import { addressBucket, clientAddress, peerAddress, TrustedProxies } from "~/platform/network/client-address";

const proxies = new TrustedProxies(["10.0.0.0/8", "192.0.2.80", "2001:db8:1::/48"]);

describe("the client is the rightmost address that is not a trusted proxy, as reported by one [S60]", () => {
  test.each([
    ["the peer, without a header", "10.0.0.1", undefined, "10.0.0.1"],
    ["the peer, with an empty header", "10.0.0.1", "", "10.0.0.1"],
    ["the peer, if it is not a proxy", "203.0.113.5", "198.51.100.1", "203.0.113.5"],
    ["the address from the proxy", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["the address from the outer proxy", "10.0.0.1", "198.51.100.1, 192.0.2.80, 10.9.9.9", "198.51.100.1"],
    ["not an address that the client added", "10.0.0.1", "8.8.8.8, 198.51.100.1", "198.51.100.1"],
    ["not a proxy's address that the client added", "10.0.0.1", "10.0.0.7, 198.51.100.1", "198.51.100.1"],
    ["the leftmost, if all are proxies", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["without a port", "10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
    ["an IPv6 address", "10.0.0.1", "2001:DB8:2::1", "2001:db8:2::1"],
    ["an IPv6 address in brackets, with a port", "10.0.0.1", "[2001:db8:2::1]:443", "2001:db8:2::1"],
    ["an IPv4-mapped IPv6 address", "10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
    ["behind an IPv6 proxy", "2001:db8:1::9", "198.51.100.1", "198.51.100.1"],
    ["the hop that reports unknown", "10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"],
    ["the hop that reports nonsense", "10.0.0.1", "1.2.3.4, <script>, 10.0.0.2", "10.0.0.2"],
    ["the hop before an empty entry", "10.0.0.1", "198.51.100.1,", "10.0.0.1"],
    ["an address with or without spaces", "10.0.0.1", " 198.51.100.1,10.0.0.2 ", "198.51.100.1"],
  ])("%s", (_name, peer, header, client) => {
    expect(clientAddress(peer, header, proxies)).toBe(client);
  });

  test("without trusted proxies no header is believed", () => {
    expect(clientAddress("127.0.0.1", "198.51.100.1", new TrustedProxies([]))).toBe("127.0.0.1");
  });

  test("a header full of proxies is not read to its end", () => {
    const endless = ["198.51.100.1", ...Array.from({ length: 2000 }, (_, at) => `10.0.${at % 200}.1`)];
    expect(clientAddress("10.0.0.1", endless.join(","), proxies)).toMatch(/^10\.0\./);
  });
});

describe("a peer's address has one form", () => {
  test.each([
    ["127.0.0.1", "127.0.0.1"],
    ["::ffff:127.0.0.1", "127.0.0.1"],
    ["::1", "::1"],
    ["fe80::1%eth0", "fe80::1"],
    [undefined, "0.0.0.0"],
  ])("%s → %s", (remote, address) => {
    expect(peerAddress(remote)).toBe(address);
  });
});

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["unknown", "unknown"],
])("an address counts by its network: %s as %s", (address, bucket) => {
  expect(addressBucket(address)).toBe(bucket);
});
