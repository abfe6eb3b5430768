import { randomBytes } from "node:crypto";
import { reasonOf } from "~/platform/lifecycle/operator-errors.server";
import { openDatabase } from "~/backend/index.server";
import { environment, warnOfFormerLimits } from "~/platform/config/environment.server";
import { failStartup } from "~/platform/lifecycle/fail-startup.server";
import { keepAlive } from "~/platform/lifecycle/process.server";
import { log } from "~/platform/telemetry/log.server";
import { systemClock } from "~/platform/time.server";
import type { HelpDesk } from "./screen";

/** Opens all that the help desk's screens use. Ends the process with one line if it can't: no accounts, no help desk. */
export async function openHelpDesk(): Promise<HelpDesk> {
  const settings = environment();
  warnOfFormerLimits();
  if (settings.BACKEND_URL !== undefined)
    failStartup(["BACKEND_URL: expected only without a help desk: the accounts are the insurer's own"]);
  try {
    const { store, keyring } = await openDatabase({ as: "help desk" });
    keepAlive(
      "the database",
      () => store,
      () => store.close(),
    );
    return helpDeskOn({ store, keyring, settings, clock: systemClock, log: log() });
  } catch (error) {
    return failStartup([reasonOf(error)]);
  }
}

/** The help desk on a database, with these settings. */
export function helpDeskOn(parts: Omit<HelpDesk, "limits" | "keys">): HelpDesk {
  const { settings, clock } = parts;
  const { HELP_DESK_ORIGIN, HELP_DESK_SECRETS, limits } = settings;
  // A demo's sessions end with its process.
  const secrets = HELP_DESK_SECRETS ?? [randomBytes(32).toString("base64url")];
  const https = HELP_DESK_ORIGIN?.startsWith("https:") === true;
  return { ...parts, limits, keys: { secrets, https, clock } };
}
