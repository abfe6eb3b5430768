import { beforeEach, describe, expect, it } from "vitest";
import { BUSY, HashQueue, type QueueLimits } from "~/backend/secrets/passwords.server";

/** A job that ends when `end` is called. */
function job() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end };
}

let now = 0;
beforeEach(() => {
  now = 0;
});
const queueOf = (limits: Partial<QueueLimits>) =>
  new HashQueue({ parallel: 1, waitMs: 3000, places: 100, holdMs: 0, ...limits }, () => now);
/** Lets everything that is waiting for a resolved promise run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("the queue for hashes", () => {
  it("runs as many jobs as allowed, and the rest in order of arrival", async () => {
    const queue = queueOf({ parallel: 2 });
    const order: number[] = [];
    const jobs = Array.from({ length: 5 }, job);
    const runs = jobs.map((each, nth) =>
      queue.run(() => {
        order.push(nth);
        return each.run();
      }),
    );
    await settle();
    expect(order).toEqual([0, 1]);
    for (const each of jobs) each.end();
    await Promise.all(runs);
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  it("[S114] does not run a job whose turn comes too late, and goes on with the next", async () => {
    const queue = queueOf({});
    const [slow, late, young] = [job(), job(), job()];
    const began: string[] = [];
    const begin =
      (name: string, { run }: { run: () => Promise<void> }) =>
      () => {
        began.push(name);
        return run();
      };
    const first = queue.run(begin("slow", slow));
    const second = queue.run(begin("late", late));
    await settle();
    now = 1000;
    const third = queue.run(begin("young", young));
    now = 3001;
    slow.end();
    await first;
    expect(await second).toBe(BUSY);
    await settle();
    expect(began).toEqual(["slow", "young"]);
    young.end();
    await third;
  });

  it("[S114] counts a job's time from the arrival of its request", async () => {
    const queue = queueOf({});
    now = 5000;
    await expect(queue.run(() => Promise.resolve("in time"), 2000)).resolves.toBe("in time");
    await expect(queue.run(() => Promise.resolve("too late"), 1999)).resolves.toBe(BUSY);
  });

  it("[S114] holds a job that finds no place: it gets one that becomes free meanwhile", async () => {
    const queue = queueOf({ places: 1, holdMs: 1 });
    const first = job();
    const running = queue.run(first.run);
    const held = queue.run(() => Promise.resolve("free after all"));
    first.end();
    await running;
    expect(await held).toBe("free after all");
  });

  it("[S114] refuses what would have to wait too long, going by what jobs took lately", async () => {
    const queue = queueOf({ waitMs: 100 });
    for (let nth = 0; nth < 60; nth += 1)
      await queue.run(() => {
        now += 40;
        return Promise.resolve();
      });
    const jobs = Array.from({ length: 3 }, job);
    // They would begin after 0, 40 and 80 ms; one more after 120.
    const runs = jobs.map((each) => queue.run(each.run));
    await expect(queue.run(() => Promise.resolve())).resolves.toBe(BUSY);
    for (const each of jobs) each.end();
    await Promise.all(runs);
    await expect(queue.run(() => Promise.resolve("free"))).resolves.toBe("free");
  });

  it("[S114] counts a promised place as taken, until it is used or given back", async () => {
    const queue = queueOf({ places: 1 });
    const another = () => queue.run(() => Promise.resolve("free"));
    await queue.withPlace(now, async (place) => {
      expect(await another()).toBe(BUSY);
      expect(await queue.run(() => Promise.resolve("mine"), place)).toBe("mine");
      expect(await another()).toBe("free");
    });
    await expect(queue.withPlace(now, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await another()).toBe("free");
  });

  it("goes on after a failed job", async () => {
    const queue = queueOf({});
    await expect(queue.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect(queue.run(() => Promise.resolve("free"))).resolves.toBe("free");
  });
});
