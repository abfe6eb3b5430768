import { expect, it, vi } from "vitest";
import { Memo } from "~/platform/memo";

const LONG = "x".repeat(301);

it("a value is made once for each key", () => {
  const memo = new Memo<string>(10);
  const make = vi.fn((key: string) => `of ${key}`);
  const ask = (key: string) => memo.get(key, () => make(key));
  expect([ask("a"), ask("b"), ask("a"), ask("b")]).toEqual(["of a", "of b", "of a", "of b"]);
  expect(make).toHaveBeenCalledTimes(2);
});

it("nobody can fill a memo up: it holds no more values than its limit, and none under a long key", () => {
  const memo = new Memo<string>(3);
  const make = vi.fn(() => "made");
  for (const key of ["a", "b", "c", "d", "a"]) memo.get(key, make);
  expect(make).toHaveBeenCalledTimes(5);
  memo.get("a", make);
  expect(make).toHaveBeenCalledTimes(5);
  for (let nth = 0; nth < 2; nth += 1) memo.get(LONG, make);
  expect(make).toHaveBeenCalledTimes(7);
});
