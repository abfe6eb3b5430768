// `npm run rewrap-keys`, `npm run import-policyholders`: a command for the database of a portal, from a checkout. Where
// only the build is, it is `node build/commands NAME …`.
import { COMMANDS_BUILD } from "./prepare/build.mjs";
import { prepare } from "./prepare/prepare.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain } from "./prepare/stop.mjs";

await runMain(async () => {
  await prepare();
  await import(inProject(COMMANDS_BUILD));
});
