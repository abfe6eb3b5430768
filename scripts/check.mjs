// `npm run check [-- --all | step …]`: the static checks of files changed since they last passed, or of everything. The
// steps run in parallel, and the first that fails ends the others.
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { changedFiles, isSource, rememberPassed } from "./prepare/changes.mjs";
import { run } from "./prepare/command.mjs";
import { prepareInstall } from "./prepare/prepare.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain, Stop } from "./prepare/stop.mjs";

const ESLINT = {
  name: "eslint",
  hint: "fix what ESLint reports above (rules and reasons: eslint.config.js)",
};
/**
 * TypeScript's native compiler, three times as fast; ESLint's rules need the library of the other one. Not `.bin/tsc`, a
 * name that both packages have. Not incremental: 7.0.2 then misses errors in files that use a changed locale, or keeps
 * those that are mended. One checker: each of its four would work out the same types again, beside ESLint.
 */
const TSC = {
  name: "tsc",
  args: ["../typescript-native/bin/tsc", "--noEmit", "--checkers", "1"],
  hint: "fix the type errors above",
};
const DEPENDENCY_CRUISER = {
  name: "dependency-cruiser",
  args: ["depcruise", "--config=.dependency-cruiser.cjs", "--output-type=err-long", "app"],
  hint: "an import above is forbidden: scripts/house/may-import.cjs says who may import whom",
};
const PRETTIER = { name: "prettier", hint: "run `npm run format`" };
const prettier = (...args) => ({ ...PRETTIER, args: ["prettier", "--check", "--log-level=warn", ...args] });

/** Slowest first. ESLint takes longer than all others together, so two processes share its work. */
const EVERYTHING = [
  {
    ...ESLINT,
    part: "without tests",
    args: ["eslint", "--max-warnings=0", "--ignore-pattern=tests/", "--ignore-pattern=tools/", "."],
  },
  { ...ESLINT, part: "tests and tools", args: ["eslint", "--max-warnings=0", "tests", "tools"] },
  TSC,
  DEPENDENCY_CRUISER,
  prettier("--cache", "--cache-location=.cache/prettier", "."),
];

/** After a change to these, the verdict on any file may be different. */
const RULES =
  /^(package(-lock)?\.json|tsconfig\.json|eslint\.config\.js|\.prettier.*|\.dependency-cruiser\.cjs|scripts\/(eslint|house)\/.*)$/;
/** With more files than that, looking at everything is quicker. */
const MANY = 200;

await runMain(async () => {
  const words = process.argv.slice(2);
  const names = EVERYTHING.map(({ name }) => name);
  const unknown = words.find((word) => word !== "--all" && !names.includes(word));
  if (unknown)
    throw new Stop(`Unknown step "${unknown}". Steps: ${[...new Set(names)].join(", ")}, or --all.`);
  await prepareInstall();

  const wanted = words.filter((word) => word !== "--all");
  const all = wanted.length > 0 || words.includes("--all");
  const steps = (all ? undefined : stepsForChanges()) ?? EVERYTHING;
  const failure = await runInParallel(
    steps.filter(({ name }) => wanted.length === 0 || wanted.includes(name)),
  );
  if (failure) throw new Stop(`${failure.name} failed: ${failure.hint}.`);
  if (wanted.length === 0) rememberPassed();
});

/** The steps for the changed files; undefined if everything must be checked. */
function stepsForChanges() {
  const changed = changedFiles();
  if (!changed || changed.length > MANY || changed.some((path) => RULES.test(path))) {
    console.log("· Looking at everything.");
    return undefined;
  }
  console.log(`· ${changed.length} changed since the check last passed.`);
  const present = changed.filter((path) => existsSync(inProject(path)));
  return [
    ...(changed.some(isSource)
      ? [{ ...ESLINT, args: [process.execPath, "scripts/eslint/lint-changed.mjs", ...changed] }, TSC]
      : []),
    ...(changed.some((path) => path.startsWith("app/")) ? [DEPENDENCY_CRUISER] : []),
    ...(present.length > 0 ? [prettier("--ignore-unknown", ...present)] : []),
  ];
}

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
      console.log(
        `✓ ${[step.name, step.part].filter(Boolean).join(" ")} ${((Date.now() - began) / 1000).toFixed(1)} s`,
      );
    }
  };
  await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, work));
  return failure;
}

/** The tools can't see that their output goes to a terminal, because we pass it on. */
function colours() {
  return process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: "1" } : {};
}
