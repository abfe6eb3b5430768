import { expect, it } from "vitest";
import { isId } from "~/journeys/customer-area/load-or-not-found";

it.each(["a", "POL-1", "...", ".a", "a b", "a".repeat(4000)])("%j can be an id", (id) => {
  expect(isId(id)).toBe(true);
});

it.each(["", ".", "..", "a\0b", "a".repeat(4001)])("%j can't be an id", (id) => {
  expect(isId(id)).toBe(false);
});
