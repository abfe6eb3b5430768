import { readSmsSettings } from "~/platform/config/sms-variables.server";
import { SECOND } from "../../clock.server";
import { ok, problem, warning, type Check } from "./check.server";
import { reach } from "./reach.server";

/** Whether the gateway takes connections. No message is sent. */
export const smsGatewayReached: Check = {
  name: "SMS gateway",
  needs: [],
  run: async ({ settings }) => {
    const sms = readSmsSettings(settings);
    if (sms.gateway === "none") return problem(sms.problems.join("; "));
    if (sms.gateway === "outbox") return ok("none: messages go to the demo's outbox");
    const { host } = new URL(sms.url);
    const reached = await reach(sms.url);
    if (reached.kind === "unreached")
      return problem(`${host} is not reached: ${reached.reason}; customers get no codes`);
    return reached.distrust === undefined
      ? ok(`${host} is reached`)
      : problem(`the certificate of ${host} is refused: ${reached.distrust}; customers get no codes`);
  },
};

/** How long messages wait. */
export const smsQueue: Check = {
  name: "SMS queue",
  needs: ["tables"],
  run: async ({ clock, db, settings: { limits } }) => {
    const now = clock();
    const oldest = await db()
      .selectFrom("sms_queue")
      .select("sent_at")
      .where("ends_at", ">", now)
      .orderBy("sent_at")
      .executeTakeFirst();
    if (!oldest) return ok("no message waits");
    const waits = now - oldest.sent_at;
    const text = `the oldest message has waited for ${Math.round(waits / SECOND)} s`;
    if (waits < limits.DOCTOR_SMS_WARNING_SECONDS * SECOND) return ok(text);
    const advice = `${text}: see whether a portal runs and the gateway accepts messages`;
    return waits < limits.DOCTOR_SMS_PROBLEM_SECONDS * SECOND ? warning(advice) : problem(advice);
  },
};
