// `npm run check [-- step …]`: the static checks of everything. They run in parallel, and the first that fails ends the
// others.
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { run } from "./prepare/command.mjs";
import { prepareInstall } from "./prepare/prepare.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain, Stop } from "./prepare/stop.mjs";

/** The slowest first (docs/decisions/tools.md). */
const STEPS = [
  {
    name: "oxlint",
    args: ["oxlint", "--format=unix", "."],
    hint: "fix what oxlint reports above (rules and reasons: .oxlintrc.json)",
  },
  {
    name: "tsc",
    // Not `.bin/tsc`, a name that both packages have. Not incremental: 7.0.2 then misses errors in files that use a
    // changed locale, or keeps fixed errors. One checker: each of its four would work out the same types again.
    args: ["../typescript-native/bin/tsc", "--noEmit", "--checkers", "1"],
    hint: "fix the type errors above",
  },
  {
    name: "dependency-cruiser",
    args: ["depcruise", "--config=.dependency-cruiser.cjs", "--output-type=err-long", "app"],
    hint: "an import above is forbidden: scripts/house/may-import.cjs says who may import whom",
  },
  { name: "oxfmt", args: ["oxfmt", "--check", "."], hint: "run `npm run format`" },
];

await runMain(async () => {
  const wanted = process.argv.slice(2);
  const names = STEPS.map(({ name }) => name);
  const unknown = wanted.find((word) => !names.includes(word));
  if (unknown) throw new Stop(`Unknown step "${unknown}". Steps: ${names.join(", ")}.`);
  await prepareInstall();
  const failure = await runInParallel(
    STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name)),
  );
  if (failure) throw new Stop(`${failure.name} failed: ${failure.hint}.`);
});

/** Runs steps until one fails, and returns that one. */
async function runInParallel(steps) {
  const queue = [...steps];
  const stop = new AbortController();
  let failure;
  const work = async () => {
    for (let step = queue.shift(); step && !failure; step = queue.shift()) {
      const began = Date.now();
      const [tool, ...args] = step.args;
      const options = { capture: true, signal: stop.signal, env: colours() };
      const { code, output } = await run(resolve(inProject("node_modules", ".bin"), tool), args, options);
      if (failure) return;
      if (code !== 0) {
        failure = step;
        stop.abort();
        console.error(output.trimEnd());
        return;
      }
      console.log(`✓ ${step.name} ${((Date.now() - began) / 1000).toFixed(1)} s`);
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  return failure;
}

/** The tools can't see that their output goes to a terminal, because we pass it on. */
function colours() {
  return process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: "1" } : {};
}
