import { hash, verify } from "@node-rs/argon2";
import { HashQueue } from "~/backend/secrets/passwords.server";
import { LIMITS } from "~/platform/config/limits";

const PASSWORD = "Dobre-Haslo-2026";

/** The order this process receives over its channel. */
export interface HashOrder {
  /** How many comparisons to run at a time. */
  readonly concurrency: number;
  readonly seconds: number;
}

/** The answer of the process. */
export interface HashReport {
  readonly perSecond: number;
  /** Processor time of one comparison, in ms. */
  readonly cpuMsEach: number;
}

/** The floor for sign-ins: password comparisons and nothing else, as many at a time as the portal runs. */
process.once("message", ({ concurrency, seconds }: HashOrder) => {
  void compareFor(concurrency, seconds).then((report) => {
    process.send?.(report, () => process.exit(0));
  });
});

async function compareFor(concurrency: number, seconds: number): Promise<HashReport> {
  const compare = await makeComparison(concurrency);
  const before = process.cpuUsage();
  const began = performance.now();
  let done = 0;
  const compareOn = async () => {
    while (performance.now() - began < seconds * 1000) {
      await compare();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, compareOn));
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: done / ((performance.now() - began) / 1000),
    cpuMsEach: (user + system) / 1000 / done,
  };
}

/** Compares a password as the portal does, as many at a time as it allows, without a database. */
async function makeComparison(concurrency: number): Promise<() => Promise<unknown>> {
  const secret = Buffer.alloc(32, 1);
  const kept = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1, secret });
  const queue = new HashQueue({
    parallel: LIMITS.HASH_PARALLEL,
    waitMs: Infinity,
    places: concurrency,
    holdMs: 0,
  });
  return () => queue.run(() => verify(kept, PASSWORD, { secret }));
}
