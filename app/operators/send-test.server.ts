import type { Readable } from "node:stream";
import { z } from "zod";
import { readPhone } from "~/contract/rules";
import { brand } from "~/platform/config/brand.server";
import { colourAnchors, type Environment, environment } from "~/platform/config/environment.server";
import { mailSettings } from "~/platform/config/mail-variables.server";
import { schemesOf } from "~/platform/config/palette";
import { readSmsSettings } from "~/platform/config/sms-variables.server";
import { MINUTE, systemClock } from "~/platform/time.server";
import { smsGateways } from "~/backend/messages/choose-gateway.server";
import type { Delivery } from "~/backend/messages/delivery.server";
import type { SmsGateway } from "~/backend/messages/gateway.server";
import { isReachable } from "~/backend/messages/sms-reach.server";
import { smtpServer } from "~/backend/messages/smtp.server";
import { orderedId } from "~/backend/store/store.server";
import { lineOfInput, readDash } from "./kit/choose-customer.server";
import { type AddCommands, EXIT, report } from "./kit/command.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";

/** The answer to a test message, and who gave it. */
type TestSent = Delivery & ({ readonly gateway: string } | { readonly server: string });

/** The ways, by the name of their option. Each reads the address from standard input, and never repeats it. */
const WAYS: Readonly<
  Record<"sms" | "smsFallback" | "mail", (settings: Environment, input: Readable) => Promise<TestSent>>
> = {
  sms: (settings, input) => sendSms(firstGateway(settings), settings, input),
  smsFallback: (settings, input) => sendSms(secondGateway(settings), settings, input),
  mail: sendMail,
};

/** `send-test`: sends one message the way the portals do, and says what the gateway or the mail server answered. */
export const addSendTest: AddCommands = (program, runs) => {
  program
    .command("send-test")
    .description(
      "send one test message by SMS or e-mail, and print what the gateway or the mail server answered",
    )
    .option("--sms", "through the SMS gateway")
    .option("--sms-fallback", "through the second SMS gateway (SMS_FALLBACK_GATEWAY)")
    .option("--mail", "through the mail server")
    .requiredOption(
      "--to <->",
      "the phone number or the e-mail address, on standard input",
      readDash("--to", "the number or the address"),
    )
    .option("--json", "print the result as JSON")
    .action(
      runs(
        ({ mail }) => (mail ? ["mail"] : ["sms"]),
        async (output, options) => {
          const [way, ...others] = (["sms", "smsFallback", "mail"] as const).filter((name) => options[name]);
          if (way === undefined || others.length > 0)
            throw new UsageError("expected one of --sms, --sms-fallback and --mail");
          const settings = environment();
          if (settings.BACKEND_URL !== undefined)
            throw new UsageError("BACKEND_URL is set: the attached backend sends the messages");
          const sent = await WAYS[way](settings, output.input);
          report(output, options.json, sent);
          return sent.kind === "accepted" ? EXIT.done : EXIT.problem;
        },
      ),
    );
};

function gatewaysOf(settings: Environment) {
  const sms = readSmsSettings(settings);
  const { first, fallback } = sms.gateway === "none" ? {} : smsGateways(sms, settings.limits);
  if (!first)
    throw new UsageError("SMS_GATEWAY: expected smsapi or webhook; the demo's outbox sends nothing");
  return { first, fallback };
}

function firstGateway(settings: Environment): SmsGateway {
  return gatewaysOf(settings).first;
}

function secondGateway(settings: Environment): SmsGateway {
  const { fallback } = gatewaysOf(settings);
  if (!fallback) throw new UsageError("--sms-fallback: SMS_FALLBACK_GATEWAY is not set");
  return fallback;
}

async function sendSms(gateway: SmsGateway, settings: Environment, input: Readable): Promise<TestSent> {
  const to = readPhone(await lineOfInput(input, "--to", "a phone number"));
  if (!isReachable(to, settings.SMS_PREFIXES))
    throw new UsageError("--to: expected a phone number such as +48500100001, of a country in SMS_PREFIXES");
  const { testText } = await import("~/i18n/sms-texts.server");
  const sentAt = systemClock();
  const text = testText(brand().smsName);
  const sms = { id: orderedId(sentAt), to, text, sentAt, endsAt: sentAt + MINUTE };
  return { gateway: gateway.name, ...(await gateway.send(sms, new AbortController().signal)) };
}

async function sendMail(settings: Environment, input: Readable): Promise<TestSent> {
  const mail = mailSettings(settings);
  if (!mail) throw new UsageError("SMTP_URL: expected; without it no e-mails are sent");
  const server = smtpServer(mail, { name: brand().name, timeoutMs: settings.limits.MAIL_SEND_MS });
  const to = z.email().safeParse(await lineOfInput(input, "--to", "an e-mail address")).data;
  if (to === undefined) throw new UsageError("--to: expected an e-mail address");
  const { testMail } = await import("~/i18n/mail-texts.server");
  const sentAt = systemClock();
  const text = testMail(brand(), schemesOf(colourAnchors(settings)).light);
  const delivery = await server.send(
    { ...text, id: orderedId(sentAt), to, sentAt },
    new AbortController().signal,
  );
  return { server: server.place, ...delivery };
}
