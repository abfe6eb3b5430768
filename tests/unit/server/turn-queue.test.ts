import { afterEach, expect, it, vi } from "vitest";
import { TurnQueue } from "~/server/turn-queue";

afterEach(() => {
  vi.restoreAllMocks();
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A queue with `work` jobs, and the jobs that have begun. */
function queueWith({ most = 2, work = 5 } = {}) {
  const queue = new TurnQueue(most);
  const begun: number[] = [];
  for (let nth = 0; nth < work; nth += 1) queue.run(() => begun.push(nth));
  return { queue, begun };
}

it("[S65] a few forms begin in each turn of the event loop, in order of arrival", async () => {
  const { begun } = queueWith();
  expect(begun).toEqual([]);
  await turn();
  expect(begun).toEqual([0, 1]);
  await turn();
  expect(begun).toEqual([0, 1, 2, 3]);
  await turn();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
});

it("[S65] no form begins in a turn that accepted a connection, so waiting connections come first", async () => {
  vi.spyOn(performance, "now").mockReturnValue(1000);
  const { queue, begun } = queueWith();
  for (let nth = 0; nth < 3; nth += 1) {
    queue.noteConnection();
    await turn();
    expect(begun).toEqual([]);
  }
  await turn();
  expect(begun).toEqual([0, 1]);
});

it("[S120] an endless flood of connections holds forms up for a tenth of a second, then not for as long again", async () => {
  const { queue, begun } = queueWith({ work: 7 });
  const clock = vi.spyOn(performance, "now");
  for (const [now, count] of [
    [1000, 0],
    [1099, 0],
    [1100, 2],
    [1199, 4],
    [1200, 4],
    [1299, 4],
    [1300, 6],
  ] as const) {
    clock.mockReturnValue(now);
    queue.noteConnection();
    await turn();
    expect(begun).toHaveLength(count);
  }
});

it("a form that comes after a pause begins in the next turn", async () => {
  const { queue, begun } = queueWith({ work: 1 });
  await turn();
  await turn();
  queue.run(() => begun.push(7));
  await turn();
  expect(begun).toEqual([0, 7]);
});
