// `npm test [-- release | PART [runner arguments]]`: from a fresh clone to the line `N passed, N failed`. A part is a
// folder or a file below tests, or `fast` (tests/README.md).
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { folderOfRun, oldResults } from "./prepare/old-results.mjs";
import { runMain, Stop } from "./prepare/stop.mjs";
import { requireNode } from "./prepare/node-version.mjs";
import { budgetIn, linesOfTimes, processorSeconds } from "./test-budget.mjs";
import { FAST, RELEASE, testsOf } from "./test-parts.mjs";

/** Each run has a folder of its own, so that two in one checkout keep their results. */
const RESULTS = join("test-results", folderOfRun(new Date(), process.pid));
const VITEST_RESULT = join(RESULTS, "vitest.json");
/** Written if there are any (vitest.config.ts). */
const UNHANDLED_ERRORS = join(RESULTS, "vitest-unhandled.json");
const PLAYWRIGHT_RESULT = join(RESULTS, "playwright.json");

/** @typedef {{ passed: number, failed: number, skipped: number, failures: readonly string[], times: readonly { readonly test: string, readonly ms: number }[] }} Counts */

/** @type {Counts} */
const NOTHING = { passed: 0, failed: 0, skipped: 0, failures: [], times: [] };

/** Lines of a failure's message that the end of the run repeats. */
const MESSAGE_LINES = 12;

const CHECK = { name: "check", args: ["scripts/check.mjs"] };
const VITEST = {
  name: "Vitest",
  args: ["node_modules/vitest/vitest.mjs", "run"],
  result: VITEST_RESULT,
  count: countVitest,
};
const PLAYWRIGHT = {
  name: "Playwright",
  args: ["node_modules/@playwright/test/cli.js", "test"],
  result: PLAYWRIGHT_RESULT,
  count: countPlaywright,
};
await runMain(async () => {
  requireNode();
  const { beginTestRun, prepare, prepareInstall } = await import("./prepare/prepare.mjs");
  const { ROOT } = await import("./prepare/project.mjs");
  process.chdir(ROOT);
  const [part, ...rest] = process.argv.slice(2);
  const stages = stagesOf(part, rest);

  if (part === FAST) await prepareInstall();
  else {
    await prepare();
    beginTestRun();
    await checkPrograms(part);
  }
  const browsers = stages.some(({ name }) => name === PLAYWRIGHT.name) ? await requireBrowsers() : {};
  forgetOldResults();
  mkdirSync(RESULTS, { recursive: true });
  const env = { ...browsers, TEST_RESULTS: RESULTS, ...(part === RELEASE && { TEST_RELEASE: "1" }) };
  const { providePostgres } = await import("./prepare/postgres.mjs");
  const stopPostgres = part === FAST ? () => undefined : await providePostgres();
  const results = [];
  try {
    for (const stage of stages) results.push({ name: stage.name, ...(await runStage(stage, env)) });
  } finally {
    await stopPostgres();
  }
  report(results);
});

/** Deletes the results of runs long past. */
function forgetOldResults() {
  if (!existsSync("test-results")) return;
  for (const name of oldResults(readdirSync("test-results")))
    rmSync(join("test-results", name), { recursive: true, force: true });
}

/** All stages, or the stages of a part with its files; more arguments go to the runners. */
function stagesOf(part, rest) {
  if (part === undefined || part === RELEASE) return [CHECK, VITEST, PLAYWRIGHT];
  const tests = testsOf(part);
  if (!tests)
    throw new Stop(`There is no tests/${part}: name a folder or a file below tests, fast or release.`);
  const withFiles = (stage, files) => ({ ...stage, args: [...stage.args, ...files, ...rest] });
  return [
    ...(tests.vitest.length > 0 ? [withFiles(VITEST, tests.vitest)] : []),
    ...(tests.playwright.length > 0 ? [withFiles(PLAYWRIGHT, tests.playwright)] : []),
  ];
}

/** Finds or installs the programs that the tests need; tests/README.md lists them. */
async function checkPrograms(part) {
  const { missingAfterInstall, missingForDatabase, missingForKubernetes, PROGRAMS } =
    await import("./prepare/programs.mjs");
  for (const { what, packages } of Object.values(PROGRAMS))
    reportMissing(what, await missingAfterInstall(packages));
  reportMissing("The tests on PostgreSQL", await missingForDatabase());
  if (part === RELEASE) reportMissing("The tests of what kubectl applies", missingForKubernetes());
}

/**
 * The environment with the paths of the browsers that the journeys need.
 * @returns {Promise<NodeJS.ProcessEnv>}
 */
async function requireBrowsers() {
  const { requireChromiums, findOtherBrowsers } = await import("./prepare/browsers.mjs");
  const { fastest, whole } = await requireChromiums();
  const env = { CHROMIUM_PATH: fastest, WHOLE_CHROMIUM_PATH: whole };
  const others = await findOtherBrowsers();
  reportMissing("The journeys in Firefox or WebKit", others.missing);
  return { ...env, ...others.env };
}

/** A loud warning; in CI an error. */
function reportMissing(what, missing) {
  if (missing.length === 0) return;
  const names = missing.join(" and ");
  if (process.env.CI) throw new Stop(`${what} can't run without ${names}: install ${names}.`);
  console.error(`\n⚠ ${what.toUpperCase()} CAN'T RUN HERE. Install ${names} to run them.\n`);
}

/** Runs one stage and shows its output. A stage that fails without a failed test counts as one failure. */
async function runStage({ name, args, result, count }, env) {
  const { run } = await import("./prepare/command.mjs");
  console.log(`\n── ${name} ──`);
  rmSync(UNHANDLED_ERRORS, { force: true });
  const [began, spent] = [Date.now(), processorSeconds()];
  const { code } = await run(process.execPath, args, { env });
  const took = {
    wall: (Date.now() - began) / 1000,
    processor: spent === undefined ? undefined : processorSeconds() - spent,
  };
  const counted = result && existsSync(result) ? count(JSON.parse(readFileSync(result, "utf8"))) : NOTHING;
  const counts = { ...counted, ...took };
  if (code === 0) return counts;
  const failures = [...counts.failures, ...unhandledErrors()];
  return counts.failed > 0 ? { ...counts, failures } : { ...counts, failures, failed: 1, broken: true };
}

/** Errors that belong to no test, with the test that ran when they were thrown. */
function unhandledErrors() {
  if (!existsSync(UNHANDLED_ERRORS)) return [];
  const errors = JSON.parse(readFileSync(UNHANDLED_ERRORS, "utf8"));
  return errors.map(({ during, message }) => describeFailure(`(outside tests, during ${during})`, message));
}

/** @returns {Counts} */
function countVitest({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  const failures = testResults.flatMap(({ name, message, assertionResults }) => [
    // A file that broke before its first test has a message of its own.
    ...(message ? [describeFailure(name, message)] : []),
    ...assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ fullName, failureMessages }) =>
        describeFailure(`${name} > ${fullName}`, failureMessages.join("\n")),
      ),
  ]);
  const skipped = numPendingTests + numTodoTests;
  const times = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({ test: `${name} > ${fullName}`, ms: duration ?? 0 })),
  );
  return { passed: numPassedTests, failed: numFailedTests, skipped, failures, times };
}

/** @returns {Counts} */
function countPlaywright({ stats: { expected, unexpected, flaky, skipped }, suites }) {
  const failures = specsIn(suites)
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap(({ error }) => error?.message ?? []));
      return describeFailure(`${file} > ${title}`, errors.join("\n"));
    });
  const times = specsIn(suites).flatMap(({ file, title, tests }) =>
    tests.map(({ projectName, results }) => ({
      test: `${file} [${projectName}] > ${title}`,
      ms: results.reduce((total, { duration }) => total + duration, 0),
    })),
  );
  return { passed: expected, failed: unexpected + flaky, skipped, failures, times };
}

function specsIn(suites = []) {
  return suites.flatMap(({ specs, suites: inner }) => [...specs, ...specsIn(inner)]);
}

function describeFailure(test, message) {
  return [`✗ ${test}`, ...message.split("\n").slice(0, MESSAGE_LINES)].join("\n  ");
}

/** Machines read the last line, too. People who see only the end of a long run read the failures above it. */
function report(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const failed = sum("failed");
  const skipped = sum("skipped");
  console.log("");
  const budget = budgetIn(readFileSync(join("tests", "README.md"), "utf8"));
  for (const line of linesOfTimes(results, budget)) console.log(line);
  console.log("");
  const failures = results.flatMap(({ name, broken, failures }) => [
    ...(broken ? [`✗ ${name} failed: see above.`] : []),
    ...failures,
  ]);
  for (const failure of failures) console.error(failure);
  if (failures.length > 0) console.error("");
  for (const failure of failures) console.error(failure.split("\n")[0]);
  console.log(`${sum("passed")} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  // A run without tests proves nothing, so it fails.
  process.exitCode = failed > 0 || sum("passed") === 0 ? 1 : 0;
}
