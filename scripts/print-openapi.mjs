// `npm run openapi`: writes the backend contract as OpenAPI 3.1 to docs/openapi.json, from the schemas that check the calls.
import { writeFileSync } from "node:fs";
import { load } from "./prepare/load.mjs";
import { prepareInstall } from "./prepare/prepare.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain } from "./prepare/stop.mjs";

const FILE = "docs/openapi.json";

await runMain(async () => {
  await prepareInstall();
  const { openApiDocument } = await load("scripts/generate/openapi.ts");
  const { formatAs } = await load("scripts/generate/format.ts");
  writeFileSync(inProject(FILE), await formatAs(FILE, JSON.stringify(openApiDocument())));
  console.log(`Written: ${FILE}`);
});
