// `npm run openapi`: writes the backend contract as OpenAPI 3.1 to docs/openapi.json, from the schemas that check the calls.
import { writeFileSync } from "node:fs";
import { prepareInstall } from "./prepare/prepare.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain } from "./prepare/stop.mjs";

const FILE = "docs/openapi.json";

await runMain(async () => {
  await prepareInstall();
  const { runnerImport } = await import("vite");
  // The contract imports nothing else from app/, so stripping its types is enough.
  const { module } = await runnerImport(inProject("scripts/generate/openapi.ts"), {
    configFile: false,
    logLevel: "error",
  });
  const { format, resolveConfig } = await import("prettier");
  const style = { ...(await resolveConfig(inProject(FILE))), filepath: FILE };
  writeFileSync(inProject(FILE), await format(JSON.stringify(module.openApiDocument()), style));
  console.log(`Written: ${FILE}`);
});
