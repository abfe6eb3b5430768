// `npm run release-name`: the name of the release that this checkout would build, for its folder and its image's tag.
import { runMain } from "./prepare/stop.mjs";
import { requireNode } from "./prepare/node-version.mjs";

await runMain(async () => {
  requireNode();
  const { releaseName } = await import("./prepare/build.mjs");
  console.log(releaseName());
});
