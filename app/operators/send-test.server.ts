import type { Readable } from "node:stream";
import { sendTestMail, sendTestSms } from "~/backend/index.server";
import type { TestSent } from "~/backend/types";
import { brand } from "~/platform/config/brand.server";
import { colourAnchors, type Environment, environment } from "~/platform/config/environment.server";
import { schemesOf } from "~/platform/config/palette";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { lineOfInput, readDash } from "./kit/choose-customer.server";
import { type AddCommands, EXIT, report } from "./kit/command.server";

/** The methods, by the name of their option. */
const METHODS: Readonly<
  Record<"sms" | "smsFallback" | "mail", (settings: Environment, input: Readable) => Promise<TestSent>>
> = {
  sms: (settings, input) => sendTestSms(settings, "first", smsTo(input)),
  smsFallback: (settings, input) => sendTestSms(settings, "fallback", smsTo(input)),
  mail: (settings, input) =>
    sendTestMail(settings, {
      readRecipient: () => lineOfInput(input, "--to", "an e-mail address"),
      makeText: async () => {
        const { testMail } = await import("~/i18n/mail-texts.server");
        return testMail(brand(), schemesOf(colourAnchors(settings)).light);
      },
    }),
};

function smsTo(input: Readable) {
  return {
    readRecipient: () => lineOfInput(input, "--to", "a phone number"),
    makeText: async () => {
      const { testText } = await import("~/i18n/sms-texts.server");
      return testText(brand().smsName);
    },
  };
}

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
          const [method, ...others] = (["sms", "smsFallback", "mail"] as const).filter(
            (name) => options[name],
          );
          if (method === undefined || others.length > 0)
            throw new UsageError("expected one of --sms, --sms-fallback and --mail");
          const settings = environment();
          if (settings.BACKEND_URL !== undefined)
            throw new UsageError("BACKEND_URL is set: the attached backend sends the messages");
          const sent = await METHODS[method](settings, output.input);
          report(output, options.json, sent);
          return sent.kind === "accepted" ? EXIT.done : EXIT.problem;
        },
      ),
    );
};
