// `npm run configuration-docs`: updates the lists of docs/configuration.md from the schema that checks the variables,
// the list of docs/operations/commands.md from the commands' help, the table of docs/operations/retention.md from the
// registry of tables and columns, and in all pages the numbers that a comment ties to a limit (scripts/generate/figures.ts).
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { load } from "./prepare/load.mjs";
import { prepareInstall } from "./prepare/prepare.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain } from "./prepare/stop.mjs";

await runMain(async () => {
  await prepareInstall();
  const { fillConfigurationLists } = await load("scripts/generate/configuration-tables.ts");
  const { fillCommandList } = await load("scripts/generate/command-list.ts");
  const { fillFigures } = await load("scripts/generate/figures.ts");
  const { fillRetentionTable } = await load("scripts/generate/retention-table.ts");
  const { formatAs } = await load("scripts/generate/format.ts");
  const rewrite = async (file, fill) => {
    const before = readFileSync(inProject(file), "utf8");
    const after = await formatAs(file, fill(before));
    if (after === before) return;
    writeFileSync(inProject(file), after);
    console.log(`Written: ${file}`);
  };
  await rewrite("docs/configuration.md", fillConfigurationLists);
  await rewrite("docs/operations/commands.md", fillCommandList);
  await rewrite("docs/operations/retention.md", fillRetentionTable);
  const pages = readdirSync(inProject("docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(md|html)$/.test(name))
    .map((name) => `docs/${name}`);
  for (const file of ["README.md", ...pages]) await rewrite(file, fillFigures);
});
