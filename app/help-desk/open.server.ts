import { randomBytes } from "node:crypto";
import { reasonOf } from "~/backend/start-refusal.server";
import { openPortalDatabase } from "~/operators/kit/portal-database.server";
import { environment } from "~/platform/config/environment.server";
import { failStartup } from "~/platform/lifecycle/fail-startup.server";
import { keepAlive } from "~/platform/lifecycle/process.server";
import { log } from "~/platform/telemetry/log.server";
import { systemClock } from "~/platform/time.server";
import type { HelpDesk } from "./screen";

/** The name of its connections in PostgreSQL's list. */
const CONNECTION = "portal help desk";

/** Opens all that the help desk's screens use. Ends the process with one line if it can't: no accounts, no help desk. */
export async function openHelpDesk(): Promise<HelpDesk> {
  const settings = environment();
  const { BACKEND_URL, HELP_DESK_ORIGIN, HELP_DESK_SECRETS, limits } = settings;
  if (BACKEND_URL !== undefined)
    failStartup(["BACKEND_URL: expected only without a help desk: the accounts are the insurer's own"]);
  try {
    const { store, keyring } = await openPortalDatabase(CONNECTION);
    keepAlive(
      "the database",
      () => store,
      () => store.close(),
    );
    return {
      store,
      keyring,
      limits,
      clock: systemClock,
      settings,
      log: log(),
      keys: {
        // A demo's sessions end with its process.
        secrets: HELP_DESK_SECRETS ?? [randomBytes(32).toString("base64url")],
        https: HELP_DESK_ORIGIN?.startsWith("https:") === true,
      },
    };
  } catch (error) {
    return failStartup([reasonOf(error)]);
  }
}
