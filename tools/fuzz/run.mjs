// `npm run fuzz [-- REQUESTS]`, FUZZ_SEED to repeat a run: sends generated requests to forms and API on both databases,
// and searches answers, log, metrics and database for leaks.
import { runMain, Stop } from "../../scripts/prepare/stop.mjs";
import { requireNode } from "../../scripts/prepare/node-version.mjs";

const REQUESTS = 100_000;
const SEEDS = 1_000_000_000;

await runMain(async () => {
  requireNode();
  const options = readArguments(process.argv.slice(2));
  const { prepare } = await import("../../scripts/prepare/prepare.mjs");
  const { ROOT } = await import("../../scripts/prepare/project.mjs");
  process.chdir(ROOT);
  await prepare();
  const { providePostgres } = await import("../../scripts/prepare/postgres.mjs");
  const stopPostgres = await providePostgres();
  const { load } = await import("../../scripts/prepare/load.mjs");
  const { fuzz } = await load("tools/fuzz/fuzz.ts");
  console.log(`FUZZ_SEED=${options.seed}`);
  process.exitCode = (await fuzz(options).finally(stopPostgres)) ? 0 : 1;
});

function readArguments([count = String(REQUESTS), ...rest]) {
  const requests = Number(count);
  if (rest.length > 0 || !Number.isSafeInteger(requests) || requests < 1)
    throw new Stop("npm run fuzz takes one word: how many requests.");
  const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * SEEDS));
  if (!Number.isSafeInteger(seed)) throw new Stop("FUZZ_SEED is a whole number.");
  return { requests, seed };
}
