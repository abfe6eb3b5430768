import { readSmsSettings } from "~/platform/config/sms-variables.server";
import { SECOND } from "~/platform/time.server";
import { queueLength } from "../../sms/sms-queue.server";
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

/** How long codes wait, as the metric says that the alarm SmsWait watches. */
export const smsQueue: Check = {
  name: "SMS queue",
  needs: ["tables"],
  run: async ({ clock, db, settings: { limits } }) => {
    const { oldest } = await queueLength(db());
    if (oldest === undefined) return ok("no code waits");
    const waits = clock() - oldest;
    const text = `the oldest code has waited for ${Math.round(waits / SECOND)} s`;
    if (waits < limits.DOCTOR_SMS_WARNING_SECONDS * SECOND) return ok(text);
    const advice = `${text}: see whether a portal runs and the gateway accepts messages`;
    return waits < limits.DOCTOR_SMS_PROBLEM_SECONDS * SECOND ? warning(advice) : problem(advice);
  },
};
