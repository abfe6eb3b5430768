import { HELP_DESK_SCOPE } from "~/platform/config/command-needs.server";
import { restrictTo } from "~/platform/config/environment.server";
import { surviveLostOutput } from "~/platform/telemetry/error-output.server";
import { log } from "~/platform/telemetry/log.server";

/*
 * The entry of the help desk's process (`node build/help-desk`): pages for the insurer's staff, behind the insurer's own
 * sign-on. It shares a portal's database, and nothing that a browser sees.
 */

// Before the other modules are loaded, since some read variables then.
restrictTo(HELP_DESK_SCOPE);

process.once("uncaughtException", (error) => {
  log().error({ err: error }, "crashed");
  process.exit(1);
});

surviveLostOutput();

const { serveHelpDesk } = await import("./help-desk");
await serveHelpDesk();
