// `npm run conformance -- URL --customers FILE --codes URL|prompt`: checks whether a server keeps the backend contract
// (docs/conformance.md). Prints each promise; exit code 1 if one is broken, 2 if the command was typed wrong.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { load } from "./prepare/load.mjs";
import { prepareInstall } from "./prepare/prepare.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain, WrongUsage } from "./prepare/stop.mjs";

const USAGE = "npm run conformance -- URL --customers FILE --codes URL|prompt [--only PART]";
const CONFIG = "tests/conformance/vitest.config.ts";

await runMain(async () => {
  const { values, positionals } = parse(process.argv.slice(2));
  if (!values.help) checkArguments(values, positionals);
  await prepareInstall();
  const parts = await partNames();
  if (values.help)
    return console.log(`Usage: ${USAGE}\n\nThe parts:\n${parts.map((part) => `  ${part}\n`).join("")}`);
  if (values.only !== undefined && !parts.includes(values.only))
    throw new WrongUsage(`There is no part "${values.only}". The parts: ${parts.join(", ")}.`);
  const url = new URL(positionals[0]).origin;
  const { codes } = values;
  const { startVitest } = await import("vitest/node");
  const { PromiseReporter } = await import("./conformance/promise-reporter.mjs");
  const prompt = codes === "prompt" ? await startPrompt() : undefined;

  // Inherited by the processes that test the promises.
  process.env.CONFORMANCE_URL = url;
  process.env.CONFORMANCE_CUSTOMERS = resolve(values.customers);
  if (values.only !== undefined) process.env.CONFORMANCE_ONLY = values.only;
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

/** The names of the contract's parts. */
async function partNames() {
  const { PART_NAMES } = await load("tests/contract/part-names.ts");
  return PART_NAMES;
}

/** @throws WrongUsage with one line */
function checkArguments({ customers, codes }, [url, ...more]) {
  if (!url || more.length > 0 || !customers || !codes) throw new WrongUsage(`Usage: ${USAGE}`);
  if (!isHttp(url) || new URL(url).origin !== url.replace(/\/$/, ""))
    throw new WrongUsage(`${url} is not an origin such as https://backend.example.`);
  if (!existsSync(customers)) throw new WrongUsage(`No such file: ${customers}`);
  if (codes !== "prompt" && !isHttp(codes))
    throw new WrongUsage("--codes takes the address of an outbox or the word prompt.");
}

function parse(args) {
  try {
    const text = { type: "string" };
    const options = { customers: text, codes: text, only: text, help: { type: "boolean" } };
    return parseArgs({ args, options, allowPositionals: true });
  } catch {
    throw new WrongUsage(`Usage: ${USAGE}`);
  }
}

function isHttp(text) {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
