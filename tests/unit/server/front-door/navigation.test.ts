import { describe, expect, it } from "vitest";
import { isNavigation, isPrefetch } from "~/server/front-door/decide";

describe("[S111] a read is somebody's navigation", () => {
  it.each([
    ["a click", { "sec-fetch-dest": "document", "sec-fetch-site": "same-origin" }],
    ["a link on another site", { "sec-fetch-dest": "document", "sec-fetch-site": "cross-site" }],
    ["our own script that fetches a page", { "sec-fetch-dest": "empty", "sec-fetch-site": "same-origin" }],
    ["a text browser, which says nothing", {}],
  ])("if it is %s", (_what, headers) => {
    expect(isNavigation("GET", headers)).toBe(true);
    expect(isPrefetch(headers)).toBe(false);
  });

  it.each([
    ["an image", { "sec-fetch-dest": "image", "sec-fetch-site": "same-site" }],
    ["a frame of our own page", { "sec-fetch-dest": "iframe", "sec-fetch-site": "same-origin" }],
    ["a script of a sister host", { "sec-fetch-dest": "empty", "sec-fetch-site": "same-site" }],
  ])("but not if it is %s", (_what, headers) => {
    expect(isNavigation("GET", headers)).toBe(false);
  });

  it("but not if it is a HEAD, whatever its headers say", () => {
    expect(isNavigation("HEAD", { "sec-fetch-dest": "document", "sec-fetch-site": "same-origin" })).toBe(
      false,
    );
  });

  it.each([
    ["a prefetch", { "sec-purpose": "prefetch" }],
    ["a prerendering", { "sec-purpose": "prefetch;prerender" }],
    ["an old Chromium's prefetch", { purpose: "prefetch" }],
    ["an old Firefox's prefetch", { "x-moz": "prefetch" }],
    ["Safari's preview of a page", { "x-purpose": "preview" }],
  ])("%s is only a browser's guess", (_what, headers) => {
    expect(isPrefetch(headers)).toBe(true);
  });
});
