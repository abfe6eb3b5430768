import { MINUTE, SECOND } from "~/platform/time.server";
import { lastSeal, unsealedSeconds } from "../../services/audit/seal-events.server";
import { ok, warning, type Check } from "./check.server";

/** Whether the audit is still sealed (S95). */
export const auditSeals: Check = {
  name: "audit seals",
  needs: ["tables"],
  run: async ({ clock, db, settings: { limits } }) => {
    const age = (await unsealedSeconds(db(), clock)) * SECOND;
    if (age === 0) return ok("all events are sealed");
    const since = (await lastSeal(db()))
      ? "the first event since the last seal"
      : "no event is sealed yet, and the first";
    const text = `${since} is ${Math.floor(age / MINUTE)} minutes old`;
    return age <= limits.DOCTOR_SEAL_MINUTES * MINUTE
      ? ok(text)
      : warning(`${text}: see why portal seal-audit does not run`);
  },
};
