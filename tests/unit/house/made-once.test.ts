import { expect, it } from "vitest";
import { madeOnce } from "../../made-once";

it("what tests share is made once, also when many want it at the same moment", async () => {
  let made = 0;
  const shared = madeOnce(async () => Promise.resolve((made += 1)));
  expect(await Promise.all([shared(), shared(), shared()])).toEqual([1, 1, 1]);
  expect(await shared()).toBe(1);
});

it("a failure is not kept: the next test that wants it tries again", async () => {
  let tries = 0;
  const shared = madeOnce(() => {
    tries += 1;
    return tries === 1 ? Promise.reject(new Error("late")) : Promise.resolve("document");
  });
  await expect(Promise.all([shared(), shared()])).rejects.toThrow("late");
  expect(await shared()).toBe("document");
  expect(tries).toBe(2);
});
