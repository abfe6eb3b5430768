// `npm run portal -- COMMAND …`: runs an operators' command on a portal's database, from a checkout. With only the build
// at hand, run `node build/portal COMMAND …`.
import { COMMANDS_BUILD } from "./prepare/build.mjs";
import { prepare } from "./prepare/prepare.mjs";
import { inProject } from "./prepare/project.mjs";
import { runMain } from "./prepare/stop.mjs";

await runMain(async () => {
  await prepare();
  await import(inProject(COMMANDS_BUILD));
});
