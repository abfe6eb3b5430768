// `npm run configuration-docs`: regenerates the tables of docs/configuration.md from the schema that checks the variables.
import { readFileSync, writeFileSync } from "node:fs";
import { prepareInstall } from "./prepare/prepare.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain } from "./prepare/stop.mjs";

const FILE = "docs/configuration.md";

await runMain(async () => {
  await prepareInstall();
  const { runnerImport } = await import("vite");
  const { module } = await runnerImport(inProject("scripts/generate/configuration-tables.ts"), {
    configFile: false,
    logLevel: "error",
  });
  const { format, resolveConfig } = await import("prettier");
  const style = { ...(await resolveConfig(inProject(FILE))), filepath: FILE };
  const page = module.fillConfigurationLists(readFileSync(inProject(FILE), "utf8"));
  writeFileSync(inProject(FILE), await format(page, style));
  console.log(`Written: ${FILE}`);
});
