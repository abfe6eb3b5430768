// `npm run conformance -- URL --customers FILE --codes URL|prompt`: checks whether a server keeps the backend contract
// (docs/conformance.md). Prints each promise; exit code 1 if one is broken.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { prepareInstall } from "./prepare/prepare.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain, Stop } from "./prepare/stop.mjs";

const USAGE = "npm run conformance -- URL --customers FILE --codes URL|prompt";
const CONFIG = "tests/conformance/vitest.config.ts";

await runMain(async () => {
  const { url, customers, codes } = readArguments(process.argv.slice(2));
  await prepareInstall();
  const { startVitest } = await import("vitest/node");
  const { PromiseReporter } = await import("./conformance/promise-reporter.mjs");
  const prompt = codes === "prompt" ? await startPrompt() : undefined;

  // Inherited by the processes that test the promises.
  process.env.CONFORMANCE_URL = url;
  process.env.CONFORMANCE_CUSTOMERS = customers;
  process.env[prompt ? "CONFORMANCE_PROMPT" : "CONFORMANCE_OUTBOX"] = prompt?.url ?? codes;

  console.log(`Does ${url} keep the backend contract?\n`);
  const reporter = new PromiseReporter();
  const options = { config: inProject(CONFIG), watch: false, reporters: [reporter] };
  const vitest = await startVitest("test", [], options);
  await vitest.close();
  await prompt?.close();
  if (prompt) console.log("Not checked without an outbox: that no extra messages are sent.");
  console.log(
    "Not part of this suite, because it can't set the clock: how long codes, sessions, locks and trusted devices last.",
  );
  process.exitCode = reporter.broken === 0 && reporter.kept > 0 ? 0 : 1;
});

async function startPrompt() {
  const { askAtTerminal } = await import("./conformance/prompt.mjs");
  return askAtTerminal();
}

/** @returns {{ url: string, customers: string, codes: string }} */
function readArguments(args) {
  const { values, positionals } = parse(args);
  const [url, ...more] = positionals;
  if (!url || more.length > 0 || !values.customers || !values.codes) throw new Stop(`Usage: ${USAGE}`);
  if (!isHttp(url) || new URL(url).origin !== url.replace(/\/$/, ""))
    throw new Stop(`${url} is not an origin such as https://backend.example.`);
  if (!existsSync(values.customers)) throw new Stop(`No such file: ${values.customers}`);
  if (values.codes !== "prompt" && !isHttp(values.codes))
    throw new Stop("--codes takes the address of an outbox or the word prompt.");
  return { url: new URL(url).origin, customers: resolve(values.customers), codes: values.codes };
}

function parse(args) {
  try {
    const options = { customers: { type: "string" }, codes: { type: "string" } };
    return parseArgs({ args, options, allowPositionals: true });
  } catch {
    throw new Stop(`Usage: ${USAGE}`);
  }
}

function isHttp(text) {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
