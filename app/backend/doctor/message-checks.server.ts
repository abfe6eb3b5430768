import { mailSettings } from "~/platform/config/mail-variables.server";
import type { Environment } from "~/platform/config/environment.server";
import type { Limits } from "~/platform/config/limits";
import {
  type GatewaySettings,
  readSmsSettings,
  type SmsSettings,
} from "~/platform/config/sms-variables.server";
import { MINUTE, SECOND } from "~/platform/time.server";
import { smtpServer } from "../messages/smtp.server";
import { smsGateways } from "../messages/choose-gateway.server";
import type { CheckedGateway } from "../messages/gateway.server";
import { queueLength } from "../messages/message-rows.server";
import { type Check, ok, problem, warning } from "./check.server";
import { ANSWER_MS, reach } from "./reach.server";

/** The checks of gateways, mail server and queues, which codes and notices go through. Nothing is sent. */
export const MESSAGE_CHECKS: readonly Check[] = [
  // Whether the gateway would take a message, asked as a message would. None is sent.
  {
    name: "SMS gateway",
    only: "embedded",
    run: async ({ settings }) => {
      const sms = readSmsSettings(settings);
      if (sms.gateway === "none") return problem(sms.problems.join("; "));
      if (sms.gateway === "outbox") return ok("none: messages go to the demo's outbox");
      const { first, fallback } = gatewaysOf(sms, settings.limits);
      const [found, second] = await Promise.all([
        first && askGateway(first, sms, settings),
        fallback && sms.fallback && askGateway(fallback, sms.fallback, settings),
      ]);
      if (!found || found.takesMessages) return ok(found?.text ?? "none");
      return second?.takesMessages
        ? warning(`${found.text}; codes go through the second gateway`)
        : problem(`${found.text}; customers get no codes`);
    },
  },
  // Whether the second gateway would, too (S152).
  {
    name: "SMS fallback",
    only: "embedded",
    run: async ({ settings }) => {
      const sms = readSmsSettings(settings);
      if (sms.gateway === "none" || sms.gateway === "outbox" || !sms.fallback)
        return ok("none: SMS_FALLBACK_GATEWAY is not set");
      const { fallback } = gatewaysOf(sms, settings.limits);
      if (!fallback) return ok("none: SMS_FALLBACK_GATEWAY is not set");
      const { takesMessages, text } = await askGateway(fallback, sms.fallback, settings);
      return takesMessages
        ? ok(text)
        : warning(`${text}; while the first gateway fails, customers get no codes`);
    },
  },
  // How long codes wait: the same figure as the metric that the alarm SmsWait watches.
  {
    name: "SMS queue",
    only: "embedded",
    needs: ["tables"],
    run: async ({ clock, db, settings: { limits } }) => {
      const { oldest } = await queueLength(db(), "sms");
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
      const { oldest } = await queueLength(db(), "mail");
      if (oldest === undefined) return ok("no e-mail waits");
      const waits = clock() - oldest;
      const text = `the oldest e-mail has waited for ${Math.round(waits / MINUTE)} minutes`;
      return waits < limits.DOCTOR_MAIL_WARNING_SECONDS * SECOND
        ? ok(text)
        : warning(`${text}: see whether a portal runs with SMTP_URL, and the server accepts e-mails`);
    },
  },
];

/** The gateways, which must answer before the check is given up. */
function gatewaysOf(sms: SmsSettings, limits: Limits) {
  return smsGateways(sms, { ...limits, SMS_SEND_MS: Math.min(limits.SMS_SEND_MS, ANSWER_MS) });
}

/** Whether a gateway would take a message, and the finding's text. Names the reason if it can't be reached. */
async function askGateway(
  gateway: CheckedGateway,
  { url }: GatewaySettings,
  { HTTPS_PROXY }: Environment,
): Promise<{ takesMessages: boolean; text: string }> {
  const { host } = new URL(url);
  // With a forward proxy the gateway may be unreachable directly.
  const reached = HTTPS_PROXY === undefined ? await reach(url) : undefined;
  if (reached?.kind === "unreached")
    return { takesMessages: false, text: `${host} is not reached: ${reached.reason}` };
  if (reached?.distrust !== undefined)
    return { takesMessages: false, text: `the certificate of ${host} is refused: ${reached.distrust}` };
  const fault = await gateway.check(new AbortController().signal);
  return fault === undefined
    ? { takesMessages: true, text: `${host} takes messages` }
    : { takesMessages: false, text: `${host} takes no messages: ${fault}` };
}
