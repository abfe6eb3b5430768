// `npm run attack [-- quick] [name …]`: attacks a freshly started topology on 127.0.0.1 with known tools and with runs
// of our own, bounded in time, and prints one table. Exit code 1 if anything was found, or not run.
import { runMain, Stop } from "../../scripts/prepare/stop.mjs";
import { requireNode } from "../../scripts/prepare/node-version.mjs";

/** Third-party programs; the rest are our own runs. */
const PROGRAMS = ["sqlmap", "wapiti", "slowhttptest", "nmap", "ffuf"];
const ATTACKS = [...PROGRAMS, "at-once", "floods", "documents", "timing", "forced-browsing", "cookies"];

await runMain(async () => {
  requireNode();
  const options = readArguments(process.argv.slice(2));
  const { prepare } = await import("../../scripts/prepare/prepare.mjs");
  const { missingAfterInstall, PROGRAMS: OURS } = await import("../../scripts/prepare/programs.mjs");
  const { ROOT } = await import("../../scripts/prepare/project.mjs");
  process.chdir(ROOT);
  await prepare();
  await missingAfterInstall(OURS.proxy.packages);
  const missing = await missingAfterInstall(packagesFor(options.names));
  const { providePostgres } = await import("../../scripts/prepare/postgres.mjs");
  const stopPostgres = await providePostgres();
  const { load } = await import("../../scripts/prepare/load.mjs");
  const { attack } = await load("tools/attack/attack.ts");
  process.exitCode = await attack({ ...options, missing }).finally(stopPostgres);
});

/** Debian's packages have the programs' names. The list of words that ffuf tries comes with dirb. */
function packagesFor(names) {
  const programs = PROGRAMS.filter((name) => names.includes(name));
  return Object.fromEntries(
    [...programs, ...(programs.includes("ffuf") ? ["dirb"] : [])].map((name) => [name, name]),
  );
}

function readArguments(words) {
  const named = words.filter((word) => word !== "quick");
  const unknown = named.find((word) => !ATTACKS.includes(word));
  if (unknown !== undefined)
    throw new Stop(`npm run attack knows the words quick, ${ATTACKS.join(", ")}, not "${unknown}".`);
  return {
    quick: words.includes("quick"),
    names: named.length > 0 ? ATTACKS.filter((name) => named.includes(name)) : ATTACKS,
  };
}
