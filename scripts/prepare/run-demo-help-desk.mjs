// The help desk's process in a demo: like `npm run help-desk`, until the portal's process ends.
import { pathToFileURL } from "node:url";
import { whenListening } from "./when-listening.mjs";

// Its address is printed when it can be opened.
whenListening(Number(process.env.PORT), () => process.send("listening"));
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
await import(pathToFileURL(process.argv[2]).href);
