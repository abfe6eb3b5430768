import type { Readable } from "node:stream";
import { z } from "zod";
import { brand } from "~/platform/config/brand.server";
import { colourAnchors, environment } from "~/platform/config/environment.server";
import { mailSettings } from "~/platform/config/mail-variables.server";
import { schemesOf } from "~/platform/config/palette";
import { systemClock } from "~/platform/time.server";
import { type MailServer, smtpServer } from "~/backend/mail/smtp.server";
import type { Delivery } from "~/backend/sms/gateway.server";
import { orderedId } from "~/backend/store/store.server";
import { lineOfInput, readDash } from "../kit/choose-customer.server";
import { type AddCommands, EXIT, Nonsense, report } from "../kit/command.server";

/** @throws Nonsense if the portals send no e-mails */
function requiredServer(): MailServer {
  const settings = environment();
  if (settings.BACKEND_URL !== undefined)
    throw new Nonsense("BACKEND_URL is set: the attached backend sends the e-mails");
  const mail = mailSettings(settings);
  if (!mail) throw new Nonsense("SMTP_URL: expected; without it no e-mails are sent");
  return smtpServer(mail, { name: brand().name, timeoutMs: settings.limits.MAIL_SEND_MS });
}

/** The address on standard input. A message never repeats it. @throws Nonsense */
async function addressOfInput(input: Readable): Promise<string> {
  const typed = z.email().safeParse(await lineOfInput(input, "--to", "an e-mail address"));
  if (!typed.success) throw new Nonsense("--to: expected an e-mail address");
  return typed.data;
}

/** The server's answer, for people. */
function inWords({ place }: MailServer, delivery: Delivery): string {
  switch (delivery.kind) {
    case "accepted":
      return `${place} accepted the e-mail`;
    case "refused":
      return `${place} refused the e-mail: ${delivery.reason}`;
    case "later":
      return `${place} did not take the e-mail: ${delivery.reason}`;
  }
}

/** `mail-test`: sends one e-mail through the portals' mail server, and says what it answered. */
export const addMailTest: AddCommands = (program, runs) => {
  program
    .command("mail-test")
    .description("send one test e-mail through the mail server, and print what it answered")
    .requiredOption("--to <->", "the address, on standard input", readDash("--to", "the address"))
    .option("--json", "print the result as JSON")
    .action(
      runs(["mail"], async (output, { json }) => {
        const server = requiredServer();
        const to = await addressOfInput(output.input);
        const { testMail } = await import("~/i18n/mail-texts.server");
        const sentAt = systemClock();
        const mail = {
          ...testMail(brand(), schemesOf(colourAnchors(environment())).light),
          id: orderedId(sentAt),
          to,
          sentAt,
        };
        const delivery = await server.send(mail, new AbortController().signal);
        report(output, json, { server: server.place, ...delivery }, [inWords(server, delivery)]);
        return delivery.kind === "accepted" ? EXIT.done : EXIT.problem;
      }),
    );
};
