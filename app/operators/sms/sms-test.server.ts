import type { Readable } from "node:stream";
import { brand } from "~/platform/config/brand.server";
import { environment } from "~/platform/config/environment.server";
import { readSmsSettings } from "~/platform/config/sms-variables.server";
import { MINUTE, systemClock } from "~/platform/time.server";
import { smsGateways } from "~/backend/sms/choose-gateway.server";
import type { Delivery, SmsGateway } from "~/backend/sms/gateway.server";
import { isReachable } from "~/backend/sms/sms-queue.server";
import { orderedId } from "~/backend/store/store.server";
import { lineOfInput, readDash } from "../kit/choose-customer.server";
import { type AddCommands, EXIT, Nonsense, report } from "../kit/command.server";

/** The gateway of the portals, the first or the second. @throws Nonsense if they have none */
function requiredGateway(isFallback: boolean): SmsGateway {
  const settings = environment();
  if (settings.BACKEND_URL !== undefined)
    throw new Nonsense("BACKEND_URL is set: the attached backend sends the messages");
  const sms = readSmsSettings(settings);
  const { first, fallback } = sms.gateway === "none" ? {} : smsGateways(sms, settings.limits);
  if (!first) throw new Nonsense("SMS_GATEWAY: expected smsapi or webhook; the demo's outbox sends nothing");
  if (!isFallback) return first;
  if (!fallback) throw new Nonsense("--fallback: SMS_FALLBACK_GATEWAY is not set");
  return fallback;
}

/** The number on standard input. A message never repeats it. @throws Nonsense */
async function numberOfInput(input: Readable): Promise<string> {
  const number = (await lineOfInput(input, "--to", "a phone number")).replaceAll(" ", "");
  if (!isReachable(number, environment().SMS_PREFIXES))
    throw new Nonsense("--to: expected a phone number such as +48500100001, of a country in SMS_PREFIXES");
  return number;
}

/** The gateway's answer, for people. */
function inWords(name: SmsGateway["name"], delivery: Delivery): string {
  switch (delivery.kind) {
    case "accepted":
      return `${name} accepted the message${delivery.id === undefined ? "" : `, as ${delivery.id}`}`;
    case "refused":
      return `${name} refused the message: ${delivery.reason}`;
    case "later":
      return `${name} did not take the message: ${delivery.reason}`;
  }
}

/** `sms-test`: sends one message through the portals' gateway, and says what it answered. */
export const addSmsTest: AddCommands = (program, runs) => {
  program
    .command("sms-test")
    .description("send one test message through the gateway, and print what it answered")
    .requiredOption("--to <->", "the phone number, on standard input", readDash("--to", "the phone number"))
    .option("--fallback", "through the second gateway (SMS_FALLBACK_GATEWAY)")
    .option("--json", "print the result as JSON")
    .action(
      runs(["sms"], async (output, { json, fallback = false }) => {
        const gateway = requiredGateway(fallback);
        const to = await numberOfInput(output.input);
        const { testText } = await import("~/i18n/sms-texts.server");
        const sentAt = systemClock();
        const sms = {
          id: orderedId(sentAt),
          to,
          text: testText(brand().smsName),
          sentAt,
          endsAt: sentAt + MINUTE,
        };
        const delivery = await gateway.send(sms, new AbortController().signal);
        report(output, json, { gateway: gateway.name, ...delivery }, [inWords(gateway.name, delivery)]);
        return delivery.kind === "accepted" ? EXIT.done : EXIT.problem;
      }),
    );
};
