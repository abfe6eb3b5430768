// The help desk's process in a demo: like `npm run help-desk`, until the portal's process ends.
import { pathToFileURL } from "node:url";

process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
await import(pathToFileURL(process.argv[2]).href);
