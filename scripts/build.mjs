// `npm run build`: builds the portal for production. `npm start` builds again only if something has changed.
import { build } from "./prepare/build.mjs";
import { oneAtATime } from "./prepare/one-at-a-time.mjs";
import { prepareInstall } from "./prepare/prepare.mjs";
import { runMain } from "./prepare/stop.mjs";

await runMain(async () => {
  await prepareInstall();
  await oneAtATime(build);
});
