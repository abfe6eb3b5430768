import { readAnnounced } from "../notices/announcements.server";
import { type Check, ok, warning } from "./check.server";

/** Whether the portal is closed to customers: it is easily forgotten, since everything else is in order. */
export const MAINTENANCE_CHECK: Check = {
  name: "maintenance",
  only: "embedded",
  needs: ["tables"],
  run: async ({ clock, db }) => {
    const { maintenance } = await readAnnounced(db());
    if (maintenance === undefined || maintenance.until <= clock())
      return ok("the portal is open to customers");
    const until = new Date(maintenance.until).toISOString();
    return warning(`the portal is closed to customers until ${until}: portal maintenance off opens it`);
  },
};
