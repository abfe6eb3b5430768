import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { SMTPServer, type SMTPServerSession } from "smtp-server";
import { makeCertificate } from "./topology/certificate";

/** An e-mail as the server got it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly isEncrypted: boolean;
  /** The message's head, with its long lines whole. */
  readonly head: string;
  readonly text: string;
  readonly html: string;
}

/** The server's treatment of each e-mail. */
export type Behaviour =
  | "accepts"
  /** A refusal for good: of the sender, the recipient, or the message. */
  | "refuses-sender"
  | "refuses-recipient"
  | "refuses-message"
  /** "Come again later." */
  | "greylists"
  /** Takes the message and never says so. */
  | "hangs"
  /** Takes the message over TLS, and is gone before it says so. */
  | "hangs-up";

/** A mail server on 127.0.0.1, with TLS and a login. */
export interface SmtpServer {
  /** The variables that portals need to use it. */
  readonly env: Readonly<Record<"SMTP_URL" | "SMTP_FROM" | "SMTP_CA_FILE", string>>;
  readonly port: number;
  /** The e-mails that it has accepted, the oldest first. */
  readonly mails: () => readonly ReceivedMail[];
  /** How often a message has reached it, accepted or not. */
  readonly offered: () => number;
  /** How often a client has sent it a password. */
  readonly logins: () => number;
  readonly behave: (behaviour: Behaviour) => void;
  /** Accepts the last message that it has kept waiting. */
  readonly release: () => void;
  readonly stop: () => Promise<void>;
}

/** The password in `SMTP_URL`, which no output may repeat. */
export const MAIL_PASSWORD = "k7Qw2Z/tV9b+Lx4Nc";
/** The sender's address. */
export const MAIL_FROM = "powiadomienia@insurer.example";

class Answer extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

/** Starts a mail server: with TLS at once, with STARTTLS, or without TLS, where it needs no login. */
export async function startSmtpServer(tls: "at-once" | "starttls" | "none" = "at-once"): Promise<SmtpServer> {
  const folder = mkdtempSync(join(tmpdir(), "portal-smtp-"));
  const { certificate, key } = await makeCertificate(folder);
  const mails: ReceivedMail[] = [];
  const waiting: (() => void)[] = [];
  const encrypted = new Set<Socket>();
  let behaviour: Behaviour = "accepts";
  let offered = 0;
  let logins = 0;
  const server = new SMTPServer({
    secure: tls === "at-once",
    // For clients that it keeps waiting.
    closeTimeout: 100,
    key: readFileSync(key),
    cert: readFileSync(certificate),
    // As if an attacker in between had cut STARTTLS out: it would take the password in the clear, or none.
    ...(tls === "none" && { disabledCommands: ["STARTTLS"], allowInsecureAuth: true, authOptional: true }),
    onSecure: (socket, _session, answer) => {
      encrypted.add(socket);
      socket.once("close", () => encrypted.delete(socket));
      answer();
    },
    onAuth: ({ username, password }, _session, answer) => {
      logins += 1;
      const isRight = username === "portal@insurer" && password === MAIL_PASSWORD;
      answer(isRight ? null : new Answer(535, "no"), { user: username });
    },
    onMailFrom: ({ address }, _session, answer) => {
      answer(behaviour === "refuses-sender" ? new Answer(554, `not from ${address}`) : null);
    },
    onRcptTo: ({ address }, _session, answer) => {
      if (behaviour === "greylists") answer(new Answer(451, `greylisted ${address}`));
      else answer(behaviour === "refuses-recipient" ? new Answer(550, `no ${address}`) : null);
    },
    onData: (stream, session, answer) => {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => {
        offered += 1;
        const text = Buffer.concat(pieces).toString("utf8");
        const accept = () => {
          mails.push(received(text, session));
          answer(null);
        };
        if (behaviour === "hangs") {
          waiting.push(accept);
          return;
        }
        if (behaviour === "hangs-up") {
          // Not the sockets below TLS: that ends the process now and then, without a word.
          for (const socket of encrypted) socket.destroy();
          return;
        }
        if (behaviour === "refuses-message") {
          answer(new Answer(554, "spam"));
          return;
        }
        accept();
      });
    },
  });
  // Its clients may hang up in the middle.
  server.on("error", () => undefined);
  await listen(server.server);
  const { port } = server.server.address() as AddressInfo;
  const login = tls === "none" ? "" : `portal%40insurer:${encodeURIComponent(MAIL_PASSWORD)}@`;
  return {
    env: {
      SMTP_URL: `${tls === "at-once" ? "smtps" : "smtp"}://${login}127.0.0.1:${port}`,
      SMTP_FROM: MAIL_FROM,
      SMTP_CA_FILE: certificate,
    },
    port,
    mails: () => mails,
    offered: () => offered,
    logins: () => logins,
    behave: (next) => {
      behaviour = next;
    },
    release: () => {
      waiting.splice(0).at(-1)?.();
    },
    stop: async () => {
      await new Promise<void>((resolve) => {
        server.close(resolve);
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server that takes connections, says this over TLS, or without TLS nothing at all, and never hangs up. */
export async function startRudeServer(
  says: string | undefined,
): Promise<Pick<SmtpServer, "env" | "port" | "stop">> {
  const folder = mkdtempSync(join(tmpdir(), "portal-smtp-"));
  const { certificate, key } = await makeCertificate(folder);
  const sockets = new Set<Socket>();
  const take = (socket: Socket) => {
    socket.on("error", () => undefined);
    sockets.add(socket);
    if (says !== undefined && says !== "") socket.write(says);
  };
  const server =
    says === undefined
      ? createServer(take)
      : createTlsServer({ key: readFileSync(key), cert: readFileSync(certificate) }, take);
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    env: {
      SMTP_URL: `smtps://portal%40insurer:${encodeURIComponent(MAIL_PASSWORD)}@127.0.0.1:${port}`,
      SMTP_FROM: MAIL_FROM,
      SMTP_CA_FILE: certificate,
    },
    port,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Listens on a free port. */
async function listen(server: Server): Promise<void> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
}

function received(message: string, { envelope, secure }: SMTPServerSession): ReceivedMail {
  const [head = ""] = message.split("\r\n\r\n", 1);
  const part = (type: string) => {
    const from = message.split(`Content-Type: ${type};`)[1] ?? "";
    const [partHead = ""] = from.split("\r\n\r\n", 1);
    const [body = ""] = from.slice(partHead.length + 4).split("\r\n----");
    return decoded(body, /Content-Transfer-Encoding: (\S+)/.exec(partHead)?.[1] ?? "7bit");
  };
  return {
    from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
    isEncrypted: secure,
    head: head.replaceAll(/\r\n[ \t]+/g, " "),
    text: part("text/plain"),
    html: part("text/html"),
  };
}

function decoded(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body.replaceAll("\r\n", "\n");
  const bytes = body
    .replaceAll(/=\r\n/g, "")
    .replaceAll("\r\n", "\n")
    .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
