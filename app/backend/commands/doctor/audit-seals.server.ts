import { MINUTE } from "../../clock.server";
import { ok, warning, type Check } from "./check.server";

/** Whether the audit is still sealed (S95). */
export const auditSeals: Check = {
  name: "audit seals",
  needs: ["tables"],
  run: async ({ clock, db, settings: { limits } }) => {
    const last = await db()
      .selectFrom("audit_seals")
      .select("through_seq")
      .orderBy("no", "desc")
      .limit(1)
      .executeTakeFirst();
    const unsealed = await db()
      .selectFrom("audit_events")
      .select("happened_at")
      .where("seq", ">", last?.through_seq ?? -1)
      .orderBy("seq")
      .limit(1)
      .executeTakeFirst();
    if (!unsealed) return ok("all events are sealed");
    const age = clock() - unsealed.happened_at;
    const since = last ? "the first event since the last seal" : "no event is sealed yet, and the first";
    const text = `${since} is ${Math.floor(age / MINUTE)} minutes old`;
    return age <= limits.DOCTOR_SEAL_MINUTES * MINUTE
      ? ok(text)
      : warning(`${text}: see why portal seal-audit does not run`);
  },
};
