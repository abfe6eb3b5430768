import { describe, expect, it } from "vitest";
import { BUSY, HashQueue } from "~/backend/secrets/hash-queue.server";
import { defaultLimits } from "~/platform/config/limits";
import { Browser } from "../../contract/browser";
import { ANNA } from "../../demo-customers";
import { fifty, openTestBackend } from "./test-backend";

/** A job that ends when `end` is called. */
function job() {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end };
}

describe("the queue for hashes", () => {
  it("runs as many jobs as allowed, and the rest in order of arrival", async () => {
    const queue = new HashQueue({ parallel: 2, waitMs: 1, places: 10 });
    const order: number[] = [];
    const jobs = Array.from({ length: 5 }, job);
    const runs = jobs.map((each, nth) =>
      queue.run(() => {
        order.push(nth);
        return each.run();
      }),
    );
    expect(order).toEqual([0, 1]);
    for (const each of jobs) each.end();
    await Promise.all(runs);
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });

  it("refuses at once if the wait would be too long, but never while guaranteed places are free", async () => {
    const queue = new HashQueue({ parallel: 1, waitMs: 1, places: 3 });
    const jobs = Array.from({ length: 4 }, job);
    const runs = jobs.map((each) => queue.run(each.run));
    await expect(queue.run(() => Promise.resolve())).resolves.toBe(BUSY);
    for (const each of jobs) each.end();
    await Promise.all(runs);
    await expect(queue.run(() => Promise.resolve("free"))).resolves.toBe("free");
  });

  it("goes on after a failed job", async () => {
    const queue = new HashQueue({ parallel: 1, waitMs: 1, places: 3 });
    await expect(queue.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await expect(queue.run(() => Promise.resolve("free"))).resolves.toBe("free");
  });

  it("[S65] answers sign-ins with 503 and a wait when it is full, and costs nobody a try", async () => {
    const way = await openTestBackend({
      limits: {
        ...defaultLimits("demo"),
        HASH_PARALLEL: 1,
        HASH_PLACES: 6,
        HASH_WAIT_MS: 1,
        PASSWORD_TRIES: 60,
      },
    });
    const answers = await fifty(() => new Browser(way).login({ ...ANNA, password: "Nie-To-Haslo-1" }));
    const busy = answers.filter(({ status }) => status === 503);
    expect(busy.length).toBeGreaterThan(30);
    expect(busy[0]?.body).toEqual({ errorCode: "busy", retryAfterSeconds: 2 });
    expect(busy[0]?.headers.get("Retry-After")).toBe("2");
    const wrong = answers.length - busy.length;
    expect(await way.query("select tries from attempts")).toEqual([{ tries: wrong }]);
    await way.close();
  });
});
