import { expect, it } from "vitest";
import { isPublicSuffix } from "~/backend/factors/relying-party.server";

it.each(["pl", "com", "com.pl", "waw.pl", "co.uk", "com.de"])(
  "anyone can register domains below %s, so it can't be a relying party",
  (id) => {
    expect(isPublicSuffix(id)).toBe(true);
  },
);

it.each([
  "localhost",
  "insurer.pl",
  "portal.insurer.com.pl",
  "insurer.co.uk",
  "insurer.example",
  "com.insurer.pl",
])("%s can be an insurer's own", (id) => {
  expect(isPublicSuffix(id)).toBe(false);
});
