// `npm run check [step …]`: all static checks. The steps run in parallel, and the first that fails ends the others.
import { availableParallelism } from "node:os";
import { run } from "./prepare/command.mjs";
import { prepareInstall } from "./prepare/prepare.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain, Stop } from "./prepare/stop.mjs";

const ESLINT = {
  name: "eslint",
  hint: "fix what ESLint reports above (rules and reasons: eslint.config.js)",
};

/** Slowest first. ESLint takes longer than all others together, so that two processes share its work. */
const STEPS = [
  { ...ESLINT, part: "without tests", args: ["eslint", "--max-warnings=0", "--ignore-pattern=tests/", "."] },
  { ...ESLINT, part: "tests", args: ["eslint", "--max-warnings=0", "tests"] },
  { name: "tsc", args: ["tsc", "--noEmit"], hint: "fix the type errors above" },
  {
    name: "dependency-cruiser",
    args: ["depcruise", "--config=.dependency-cruiser.cjs", "--output-type=err-long", "app"],
    hint: "an import above is forbidden: scripts/house/may-import.cjs says who may import whom",
  },
  {
    name: "prettier",
    args: ["prettier", "--check", "--log-level=warn", "--cache", "--cache-location=.cache/prettier", "."],
    hint: "run `npm run format`",
  },
];

await runMain(async () => {
  const wanted = process.argv.slice(2);
  const unknown = wanted.find((name) => !STEPS.some((step) => step.name === name));
  if (unknown)
    throw new Stop(
      `Unknown step "${unknown}". Steps: ${[...new Set(STEPS.map(({ name }) => name))].join(", ")}.`,
    );
  await prepareInstall();

  const queue = STEPS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const failure = await runInParallel(queue);
  if (failure) throw new Stop(`${failure.name} failed: ${failure.hint}.`);
});

/** Runs steps until one fails, and returns that one. */
async function runInParallel(queue) {
  const stop = new AbortController();
  let failure;
  const work = async () => {
    for (let step = queue.shift(); step && !failure; step = queue.shift()) {
      const began = Date.now();
      const [tool, ...args] = step.args;
      const options = { capture: true, signal: stop.signal, env: colours() };
      const { code, output } = await run(inProject("node_modules", ".bin", tool), args, options);
      if (failure) return;
      if (code !== 0) {
        failure = step;
        stop.abort();
        console.error(output.trimEnd());
        return;
      }
      console.log(
        `✓ ${[step.name, step.part].filter(Boolean).join(" ")} ${((Date.now() - began) / 1000).toFixed(1)} s`,
      );
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  return failure;
}

/** We pass their output on, so they can't see that it goes to a terminal. */
function colours() {
  return process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: "1" } : {};
}
