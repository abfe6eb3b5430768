import { z } from "zod";
import { isOnThisMachine } from "./database-variables.server";
import { certificates } from "./variable-values.server";

const EXAMPLE =
  "smtps://name:password@mail.insurer.example:465 or smtp://name:password@mail.insurer.example:587, without a path or parameters";
const PORTS: Readonly<Record<string, number>> = { "smtps:": 465, "smtp:": 587 };

/** The address of the mail server, and the portal's login there. */
interface MailAddress {
  readonly host: string;
  readonly port: number;
  /** Whether TLS begins with the connection. Otherwise it begins with STARTTLS. */
  readonly isTlsAtOnce: boolean;
  /** Undefined if the server needs none. */
  readonly login: { readonly user: string; readonly pass: string } | undefined;
}

const mailAddress = z.string().transform((text, context): MailAddress => {
  const address = readAddress(text);
  if (address) return address;
  context.addIssue({ code: "custom", message: EXAMPLE });
  return z.NEVER;
});

/** How e-mails are sent. */
export const mailVariables = {
  SMTP_URL: mailAddress.optional().meta({
    description:
      "The mail server for e-mail notices: `smtps://name:password@host:465` (TLS at once) or `smtp://name:password@host:587` (STARTTLS, which the server must offer unless it is this machine). Name and password are percent-encoded, and may be missing. Without it no e-mails are sent. Of the commands only `send-test` and `doctor` need it: portals send the e-mails.",
    secret: true,
  }),
  SMTP_FROM: z.email("an e-mail address").optional().meta({
    description:
      "The address that e-mails come from; required with `SMTP_URL`. They carry `BRAND_NAME`. Commands that tell a customer something look whether it is set.",
  }),
  SMTP_CA_FILE: certificates.optional().meta({
    description:
      "A PEM file with the CA certificates to verify the mail server's certificate with, instead of the default ones.",
  }),
};

type MailVariables = z.output<z.ZodObject<typeof mailVariables>>;

/** The mail server in use. */
export interface MailSettings extends MailAddress {
  readonly from: string;
  readonly ca: string | undefined;
  /** Whether the connection must be encrypted: always, unless the server is this machine and no CA is named. */
  readonly isTlsNeeded: boolean;
}

/** A sentence for each variable that is missing, or that is pointless alone. */
export function mailProblems({ SMTP_URL, SMTP_FROM, SMTP_CA_FILE }: MailVariables): readonly string[] {
  if (SMTP_URL !== undefined) return SMTP_FROM === undefined ? ["SMTP_FROM: expected with SMTP_URL"] : [];
  return Object.entries({ SMTP_FROM, SMTP_CA_FILE }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: expected only with SMTP_URL`],
  );
}

/**
 * Whether portals send e-mails, for work that only puts them into the queue: it needs to know no more of the mail server,
 * and SMTP_FROM is always set together with SMTP_URL.
 */
export function sendsMail({
  BACKEND_URL,
  SMTP_FROM,
}: Pick<MailVariables, "SMTP_FROM"> & { readonly BACKEND_URL?: string | undefined }): boolean {
  return BACKEND_URL === undefined && SMTP_FROM !== undefined;
}

/** The mail server; undefined if no e-mails are sent, or an attached backend sends its own. */
export function mailSettings({
  BACKEND_URL,
  SMTP_URL,
  SMTP_FROM,
  SMTP_CA_FILE,
}: MailVariables & { readonly BACKEND_URL?: string | undefined }): MailSettings | undefined {
  if (BACKEND_URL !== undefined || SMTP_URL === undefined || SMTP_FROM === undefined) return undefined;
  const isTlsNeeded = SMTP_URL.isTlsAtOnce || SMTP_CA_FILE !== undefined || !isOnThisMachine(SMTP_URL);
  return { ...SMTP_URL, from: SMTP_FROM, ca: SMTP_CA_FILE, isTlsNeeded };
}

function readAddress(text: string): MailAddress | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const usual = PORTS[url?.protocol ?? ""];
  if (!url || usual === undefined || url.hostname === "") return undefined;
  if (url.search !== "" || url.hash !== "" || !["", "/"].includes(url.pathname)) return undefined;
  const [user, pass] = [decode(url.username), decode(url.password)];
  if (user === undefined || pass === undefined || (user === "") !== (pass === "")) return undefined;
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? usual : Number(url.port),
    isTlsAtOnce: url.protocol === "smtps:",
    login: user === "" ? undefined : { user, pass },
  };
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
