import type { Readable } from "node:stream";
import { z } from "zod";
import { brand } from "~/platform/config/brand.server";
import { colourAnchors, environment } from "~/platform/config/environment.server";
import { mailSettings } from "~/platform/config/mail-variables.server";
import { schemesOf } from "~/platform/config/palette";
import { systemClock } from "~/platform/time.server";
import { type MailServer, smtpServer } from "~/backend/messages/smtp.server";
import { orderedId } from "~/backend/store/store.server";
import { lineOfInput } from "../kit/choose-customer.server";
import { UsageError } from "../kit/command.server";
import type { TestSent } from "./test-sent.server";

/** @throws UsageError if the portals send no e-mails */
function requiredServer(): MailServer {
  const settings = environment();
  if (settings.BACKEND_URL !== undefined)
    throw new UsageError("BACKEND_URL is set: the attached backend sends the e-mails");
  const mail = mailSettings(settings);
  if (!mail) throw new UsageError("SMTP_URL: expected; without it no e-mails are sent");
  return smtpServer(mail, { name: brand().name, timeoutMs: settings.limits.MAIL_SEND_MS });
}

/** The address on standard input. A message never repeats it. @throws UsageError */
async function addressOfInput(input: Readable): Promise<string> {
  const typed = z.email().safeParse(await lineOfInput(input, "--to", "an e-mail address"));
  if (!typed.success) throw new UsageError("--to: expected an e-mail address");
  return typed.data;
}

/** Sends one e-mail through the portals' mail server, to the address on standard input. @throws UsageError */
export async function sendTestMail(input: Readable): Promise<TestSent> {
  const server = requiredServer();
  const to = await addressOfInput(input);
  const { testMail } = await import("~/i18n/mail-texts.server");
  const sentAt = systemClock();
  const text = testMail(brand(), schemesOf(colourAnchors(environment())).light);
  const mail = { ...text, id: orderedId(sentAt), to, sentAt };
  const delivery = await server.send(mail, new AbortController().signal);
  return { facts: { server: server.place }, taker: server.place, what: "e-mail", delivery };
}
