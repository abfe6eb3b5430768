import type { Readable } from "node:stream";
import { readDash } from "../kit/choose-customer.server";
import { type AddCommands, EXIT, UsageError, report } from "../kit/command.server";
import { sendTestMail } from "./test-mail.server";
import type { TestSent } from "./test-sent.server";
import { sendTestSms } from "./test-sms.server";

/** The ways, by the name of their option. Each reads the address from standard input. */
const WAYS: Readonly<Record<"sms" | "smsFallback" | "mail", (input: Readable) => Promise<TestSent>>> = {
  sms: (input) => sendTestSms(input, "first"),
  smsFallback: (input) => sendTestSms(input, "fallback"),
  mail: sendTestMail,
};

/** The answer of the gateway or the mail server, for people. */
function inWords({ taker, what, delivery }: TestSent): string {
  switch (delivery.kind) {
    case "accepted":
      return `${taker} accepted the ${what}${delivery.id === undefined ? "" : `, as ${delivery.id}`}`;
    case "refused":
      return `${taker} refused the ${what}: ${delivery.reason}`;
    case "later":
      return `${taker} did not take the ${what}: ${delivery.reason}`;
  }
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
          const [way, ...others] = (["sms", "smsFallback", "mail"] as const).filter((name) => options[name]);
          if (way === undefined || others.length > 0)
            throw new UsageError("expected one of --sms, --sms-fallback and --mail");
          const sent = await WAYS[way](output.input);
          report(output, options.json, { ...sent.facts, ...sent.delivery }, [inWords(sent)]);
          return sent.delivery.kind === "accepted" ? EXIT.done : EXIT.problem;
        },
      ),
    );
};
