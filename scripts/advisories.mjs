// `npm run advisories`: asks the registry which published faults the packages that run have, and compares its answer with
// our verdicts. Exit code 1: a person has to look. 3: the registry gave no answer, so nothing is known.
import { readFileSync } from "node:fs";
import { judge, readAudit } from "./advisories/judge.mjs";
import { run } from "./prepare/command.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain, Stop } from "./prepare/stop.mjs";

const VERDICTS = "scripts/advisories/verdicts.json";

class NoAnswer extends Stop {
  exitCode = 3;
}

await runMain(async () => {
  // Silent, since a warning of npm's would stand in the middle of its JSON. Its exit code doesn't tell faults from failures.
  const words = ["audit", "--omit=dev", "--json", "--loglevel=silent"];
  const audit = readAudit((await run("npm", words, { capture: true })).output);
  if (audit.kind === "no answer")
    throw new NoAnswer(
      `The registry gave no answer about advisories (${audit.reason}). Nothing was compared: run this where the ` +
        "registry can be asked, or give the bill of materials (npm run sbom) to a scanner.",
    );
  const verdicts = JSON.parse(readFileSync(inProject(VERDICTS), "utf8"));
  const { lines, complaints } = judge(audit.advisories, verdicts, new Date().toISOString().slice(0, 10));
  for (const line of lines) console.log(line);
  if (complaints.length > 0)
    throw new Stop(
      `${complaints.join("\n✗ ")}\n  Write what you found to ${VERDICTS} and docs/decisions/dependencies.md.`,
    );
  console.log(`\n✓ ${audit.advisories.length} advisories on packages that run, each with a verdict.`);
});
