import { expect, it } from "vitest";
import { RoutePatterns } from "~/server/front-door/record.server";

const patterns = new RoutePatterns({
  root: { path: "" },
  start: { index: true, parentId: "root" },
  "routes/session": { parentId: "root" },
  "routes/home/login": { path: "home", index: true, parentId: "root" },
  "routes/home/mfa": { path: "home/mfa", parentId: "routes/session" },
  "user-api": { path: "home/api/*", parentId: "root" },
  "routes/home/unknown": { path: "home/*", parentId: "root" },
  "routes/language": { path: "language/:code", parentId: "root" },
  "routes/not-found": { path: "*", parentId: "root" },
});

it.each([
  ["/", "/"],
  ["/home", "/home"],
  ["/home/", "/home"],
  ["/home?a=b", "/home"],
  ["/home/mfa", "/home/mfa"],
  ["/home/api/user/anna.nowak/password-reset/init", "/home/api/*"],
  ["/home/anna.nowak", "/home/*"],
  ["/language/en", "/language/:code"],
  ["/assets/entry-1a2b.js", "file"],
  ["/favicon.svg", "file"],
  ["/anna.nowak@example.com/x", "/*"],
  ["/%0d%0a", "/*"],
])("[S86] %s is counted as %s", (target, pattern) => {
  expect(patterns.of(target)).toBe(pattern);
});
