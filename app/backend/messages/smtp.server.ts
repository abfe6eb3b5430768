import { z } from "zod";
import type { MailText } from "~/contract/notices";
import type { MailSettings } from "~/platform/config/mail-variables.server";
import type { Delivery } from "./delivery.server";

/** An e-mail on its way to the mail server. */
export interface OutgoingMail extends MailText {
  /** The same at every attempt: it becomes the Message-ID, by which mailboxes recognise a duplicate. */
  readonly id: string;
  readonly to: string;
  /** When it was written, in ms. */
  readonly sentAt: number;
}

/** A server that accepts e-mails. */
export interface MailServer {
  /** Its host and port, without name and password. */
  readonly place: string;
  /** Tries once, and stops when `signal` aborts. Never throws. */
  send(mail: OutgoingMail, signal: AbortSignal): Promise<Delivery>;
  /** Connects and signs in without sending anything. Never throws. */
  greet(): Promise<Delivery>;
}

/** nodemailer would read several addresses as a list of recipients. */
const ONE_ADDRESS = /^[^\s,;:<>()"@]+@[^\s,;:<>()"@]+$/;

/** The sender's name in e-mails, and how long an attempt may take (ms). */
interface Sending {
  readonly name: string;
  readonly timeoutMs: number;
}

/**
 * The insurer's mail server. Each e-mail gets its own connection: there are few e-mails, and no idle connection stays
 * open. nodemailer's own log stays off, because it contains whole e-mails (S151).
 */
export function smtpServer(settings: MailSettings, { name, timeoutMs }: Sending): MailServer {
  const { host, port, isTlsAtOnce, isTlsNeeded, login, from, ca } = settings;
  const transport = async () => {
    // Loaded with the first e-mail: starts and most commands don't need it.
    const { createTransport } = await import("nodemailer");
    return createTransport({
      host,
      port,
      secure: isTlsAtOnce,
      requireTLS: isTlsNeeded,
      ignoreTLS: !isTlsNeeded,
      tls: { minVersion: "TLSv1.2", ...(ca !== undefined && { ca }) },
      ...(login && { auth: login, forceAuth: true }),
      dnsTimeout: timeoutMs,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      // A server that doesn't hang up would keep the socket otherwise.
      socketCloseTimeout: 0,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  const domain = from.slice(from.lastIndexOf("@") + 1);
  return {
    place: `${host}:${port}`,
    async send({ id, to, sentAt, subject, text, html }, stop) {
      if (!ONE_ADDRESS.test(to)) return { kind: "refused", reason: "not an address" };
      const connection = await transport();
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        await connection.sendMail({
          envelope: { from, to: [to] },
          from: { name, address: from },
          to: { name: "", address: to },
          messageId: `<${id}@${domain}>`,
          date: new Date(sentAt),
          // RFC 3834: keeps out-of-office replies away.
          headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
          subject,
          text,
          html,
          signal: AbortSignal.any([stop, timeout]),
        });
        return { kind: "accepted" };
      } catch (error) {
        if (timeout.aborted) return later("no answer in time");
        return stop.aborted ? later("the portal is stopping") : deliveryOf(error);
      }
    },
    async greet() {
      const connection = await transport();
      return connection.verify().then(
        () => ({ kind: "accepted" as const }),
        (error: unknown) => deliveryOf(error),
      );
    },
  };
}

/** A failure as nodemailer reports it. Its texts repeat addresses and the server's words, so none of them is kept. */
const FAILURE = z.object({
  code: z.string().optional(),
  originalCode: z.string().optional(),
  command: z.string().optional(),
  responseCode: z.number().optional(),
});

/** These commands are about one e-mail and its recipient. A refusal of any other concerns the server as a whole. */
const OF_ONE_MAIL = new Set(["RCPT TO", "DATA"]);
/** Error codes of OpenSSL and Node for a certificate that is not trusted. */
const CERTIFICATE = /CERT|SELF_SIGNED|ALTNAME|ISSUER/;

function deliveryOf(error: unknown): Delivery {
  const { code = "", originalCode = "", command = "", responseCode } = FAILURE.safeParse(error).data ?? {};
  if (responseCode !== undefined) {
    const reason = `status ${responseCode}`;
    const isForGood = responseCode >= 500 && responseCode !== 503;
    if (isForGood && OF_ONE_MAIL.has(command)) return { kind: "refused", reason };
    return { kind: "later", reason, alarm: isForGood };
  }
  if (CERTIFICATE.test(originalCode)) return later("its certificate is refused", true);
  if (code === "ETLS") return later("no TLS", true);
  if (code === "EAUTH") return later("it takes no name and password", true);
  return code === "ETIMEDOUT" ? later("no answer in time") : later("unreachable");
}

function later(reason: string, alarm = false): Delivery {
  return { kind: "later", reason, alarm };
}
