import { describe, expect, it } from "vitest";
import { isOwnNavigation } from "~/visit/browser.server";
import { visit } from "./visit";

const isOwn = (headers: Readonly<Record<string, string>>) =>
  isOwnNavigation(visit("/home/logout", { headers }).request);

describe("a GET signs out only as the visitor's own navigation", () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ["a click in the portal", { "Sec-Fetch-Site": "same-origin", Referer: "http://portal.example/cp" }],
    ["a typed address or a bookmark", { "Sec-Fetch-Site": "none" }],
    ["a text browser, which sends nothing", {}],
    ["an old browser's click", { Referer: "http://portal.example/cp" }],
    ["an old browser behind TLS", { Referer: "https://portal.example/cp" }],
  ])("%s counts as one", (_what, headers) => {
    expect(isOwn(headers)).toBe(true);
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ["another site's link", { "Sec-Fetch-Site": "cross-site", Referer: "http://portal.example/cp" }],
    ["a sister host's link", { "Sec-Fetch-Site": "same-site" }],
    ["an image on another site", { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image" }],
    ["an old browser that comes from elsewhere", { Referer: "https://evil.example/" }],
    ["another port of the same machine", { Referer: "http://portal.example:8080/" }],
    ["a host that starts like ours", { Referer: "http://portal.example.evil.example/" }],
    ["a Referer that is not an address", { Referer: "portal.example" }],
  ])("%s doesn't", (_what, headers) => {
    expect(isOwn(headers)).toBe(false);
  });
});
