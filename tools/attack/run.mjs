// `npm run attack [-- quick]`: tests whether the time of an answer reveals customers, on a freshly started topology. Exit
// code 1 if it does. Other people's tools are the scripts beside this file (docs/attack.md).
import { runMain, Stop } from "../../scripts/prepare/stop.mjs";
import { requireNode } from "../../scripts/prepare/node-version.mjs";

await runMain(async () => {
  requireNode();
  const words = process.argv.slice(2);
  const unknown = words.find((word) => !["quick", "timing"].includes(word));
  if (unknown !== undefined)
    throw new Stop(`npm run attack knows the words timing and quick, not "${unknown}".`);
  const { prepare } = await import("../../scripts/prepare/prepare.mjs");
  const { missingAfterInstall, PROGRAMS } = await import("../../scripts/prepare/programs.mjs");
  const { ROOT } = await import("../../scripts/prepare/project.mjs");
  process.chdir(ROOT);
  await prepare();
  const missing = await missingAfterInstall(PROGRAMS.proxy.packages);
  if (missing.length > 0) throw new Stop(`The topology needs ${missing.join(" and ")}.`);
  const { providePostgres } = await import("../../scripts/prepare/postgres.mjs");
  const stopPostgres = await providePostgres();
  const { load } = await import("../../scripts/prepare/load.mjs");
  const { attackTiming } = await load("tools/attack/timing.ts");
  const found = await attackTiming(words.includes("quick")).finally(stopPostgres);
  process.exitCode = found ? 1 : 0;
});
