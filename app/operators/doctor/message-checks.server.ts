import { mailSettings } from "~/platform/config/mail-variables.server";
import { type GatewaySettings, readSmsSettings } from "~/platform/config/sms-variables.server";
import { MINUTE, SECOND } from "~/platform/time.server";
import { mailQueueLength } from "~/backend/mail/mail-queue.server";
import { smtpServer } from "~/backend/mail/smtp.server";
import { queueLength } from "~/backend/sms/sms-queue.server";
import { type Check, ok, problem, warning } from "./check.server";
import { ANSWER_MS, reach } from "./reach.server";

/** The checks of gateways, mail server and queues, which codes and notices go through. Nothing is sent. */
export const MESSAGE_CHECKS: readonly Check[] = [
  // Whether the gateway takes connections. No message is sent.
  {
    name: "SMS gateway",
    only: "embedded",
    run: async ({ settings }) => {
      const sms = readSmsSettings(settings);
      if (sms.gateway === "none") return problem(sms.problems.join("; "));
      if (sms.gateway === "outbox") return ok("none: messages go to the demo's outbox");
      const [found, second] = await Promise.all([
        reachGateway(sms),
        sms.fallback && reachGateway(sms.fallback),
      ]);
      if (found.isReached) return ok(found.text);
      return second?.isReached
        ? warning(`${found.text}; codes go through the second gateway`)
        : problem(`${found.text}; customers get no codes`);
    },
  },
  // Whether the second gateway takes connections, too (S152).
  {
    name: "SMS fallback",
    only: "embedded",
    run: async ({ settings }) => {
      const sms = readSmsSettings(settings);
      if (sms.gateway === "none" || sms.gateway === "outbox" || !sms.fallback)
        return ok("none: SMS_FALLBACK_GATEWAY is not set");
      const { isReached, text } = await reachGateway(sms.fallback);
      return isReached ? ok(text) : warning(`${text}; while the first gateway fails, customers get no codes`);
    },
  },
  // How long codes wait: the same figure as the metric that the alarm SmsWait watches.
  {
    name: "SMS queue",
    only: "embedded",
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
  },
  // Whether the mail server takes connections, and the portal's name and password. No e-mail is sent.
  {
    name: "mail server",
    only: "embedded",
    run: async ({ settings }) => {
      const mail = mailSettings(settings);
      if (!mail) return ok("none: SMTP_URL is not set, and notices go by SMS alone");
      const server = smtpServer(mail, { name: "", timeoutMs: ANSWER_MS });
      const greeted = await server.greet();
      return greeted.kind === "accepted"
        ? ok(`${server.place} is reached`)
        : problem(`${server.place} can't be used: ${greeted.reason}; customers get no e-mails`);
    },
  },
  // How long e-mails wait: the same figure as the metric that the alarm MailWait watches.
  {
    name: "mail queue",
    only: "embedded",
    needs: ["tables"],
    run: async ({ clock, db, settings: { limits } }) => {
      const { oldest } = await mailQueueLength(db());
      if (oldest === undefined) return ok("no e-mail waits");
      const waits = clock() - oldest;
      const text = `the oldest e-mail has waited for ${Math.round(waits / MINUTE)} minutes`;
      return waits < limits.DOCTOR_MAIL_WARNING_SECONDS * SECOND
        ? ok(text)
        : warning(`${text}: see whether a portal runs with SMTP_URL, and the server accepts e-mails`);
    },
  },
];

/** Whether a gateway takes connections, in words. */
async function reachGateway({ url }: GatewaySettings): Promise<{ isReached: boolean; text: string }> {
  const { host } = new URL(url);
  const reached = await reach(url);
  if (reached.kind === "unreached")
    return { isReached: false, text: `${host} is not reached: ${reached.reason}` };
  return reached.distrust === undefined
    ? { isReached: true, text: `${host} is reached` }
    : { isReached: false, text: `the certificate of ${host} is refused: ${reached.distrust}` };
}
