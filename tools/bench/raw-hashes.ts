import { makeComparison } from "./comparisons";

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
