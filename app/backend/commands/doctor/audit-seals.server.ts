import { MINUTE } from "../../clock.server";
import { ok, warning, type Check } from "./check.server";

const GOOD_MS = 10 * MINUTE;

/** Whether the audit is still sealed (S95). */
export const auditSeals: Check = {
  name: "audit seals",
  needs: ["tables"],
  run: async ({ clock, db }) => {
    const last = await db()
      .selectFrom("audit_seals")
      .select(["through_seq", "sealed_at"])
      .orderBy("no", "desc")
      .limit(1)
      .executeTakeFirst();
    if (!last) return ok("no event is sealed yet");
    const unsealed = await db()
      .selectFrom("audit_events")
      .select("seq")
      .where("seq", ">", last.through_seq)
      .limit(1)
      .executeTakeFirst();
    if (!unsealed) return ok("all events are sealed");
    const age = clock() - last.sealed_at;
    const text = `the last seal is ${Math.floor(age / MINUTE)} minutes old, and events have come since`;
    return age <= GOOD_MS ? ok(text) : warning(`${text}: see why portal seal-audit does not run`);
  },
};
