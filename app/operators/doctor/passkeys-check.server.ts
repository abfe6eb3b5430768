import { fitsOrigin } from "~/backend/services/factors/relying-party.server";
import { type Check, ok, problem } from "./check.server";

/** Whether browsers let the portal's pages use passkeys. */
export const PASSKEYS_CHECK: Check = {
  name: "passkeys",
  only: "embedded",
  run: ({ settings: { FACTORS, PASSKEY_RP_ID, PUBLIC_ORIGIN } }) => {
    if (!FACTORS.includes("passkey")) return ok("not offered, as FACTORS says");
    if (PUBLIC_ORIGIN === undefined) return ok("offered on http://localhost only: there is no PUBLIC_ORIGIN");
    const id = PASSKEY_RP_ID ?? new URL(PUBLIC_ORIGIN).hostname;
    if (fitsOrigin(id, PUBLIC_ORIGIN)) return ok(`they belong to ${id}`);
    return PASSKEY_RP_ID === undefined
      ? ok(`not offered: browsers have none at ${PUBLIC_ORIGIN}`)
      : problem(
          `PASSKEY_RP_ID is ${id}, which is neither the host of PUBLIC_ORIGIN nor a domain above it: none are offered, and those that there are don't work`,
        );
  },
};
