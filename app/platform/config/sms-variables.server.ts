import { z } from "zod";
import { isSampleText } from "./secret-variables.server";
import { list } from "./variable-values.server";

const TOKEN = "a token of at least 16 printable characters, without spaces";
const LOOPBACK = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Sent in a header, so it must contain nothing that could end the line or split the word. */
const token = z
  .string()
  .regex(/^[\x21-\x7e]{16,}$/, TOKEN)
  .refine((text) => !isSampleText(text), "a real token, not a sample");

const gatewayAddress = (expected: string) =>
  z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url && isEncryptedOrLocal(url) && url.username + url.password + url.hash === "") return url.href;
    context.addIssue({ code: "custom", message: expected });
    return z.NEVER;
  });

const PREFIXES = "prefixes of countries such as +48, separated by commas";
const prefixes = list.pipe(z.array(z.string().regex(/^\+[1-9]\d{0,3}$/, PREFIXES)).min(1, PREFIXES));

/** How text messages are sent. */
export const smsVariables = {
  SMS_GATEWAY: z.enum(["smsapi", "webhook", "outbox"], "smsapi, webhook or outbox").optional().meta({
    description:
      "Where text messages go: `smsapi` (SMSAPI.pl), `webhook` (the insurer's own server) or `outbox` (a page that anyone can read). The demo uses the outbox by default; production refuses it.",
    needed: "in production, without BACKEND_URL",
  }),
  SMS_SMSAPI_TOKEN: token.optional().meta({
    description: "The OAuth token of the SMSAPI.pl account. It needs the right to send SMS and no other.",
    secret: true,
  }),
  SMS_SENDER: z
    .string()
    .regex(
      /^[A-Za-z0-9 .-]{1,11}$/,
      "a sender's name of at most 11 letters, digits, spaces, dots and hyphens",
    )
    .optional()
    .meta({ description: "The sender name registered at SMSAPI.pl, at most 11 characters." }),
  SMS_SMSAPI_URL: gatewayAddress("an https address such as https://api.smsapi.pl/sms.do")
    .default("https://api.smsapi.pl/sms.do")
    .meta({
      description:
        "The address of SMSAPI.pl. Their second host is `https://api2.smsapi.pl/sms.do`. It must be https unless it is this machine.",
    }),
  SMS_WEBHOOK_URL: gatewayAddress("an https address such as https://sms.insurer.example/messages")
    .optional()
    .meta({ description: "Where messages are posted as JSON. It must be https unless it is this machine." }),
  SMS_WEBHOOK_TOKEN: token.optional().meta({
    description: "The token sent to that server in `Authorization: Bearer …`, at least 16 characters.",
    secret: true,
  }),
  SMS_PREFIXES: prefixes.default(["+48"]).meta({
    description:
      "Prefixes of the countries whose numbers get messages, separated by commas. The default is `+48`. Other numbers get none, and neither do Polish special-rate numbers (70… and 80…).",
  }),
  SMS_NOTICES: z.enum(["on", "off"], "on or off").optional().meta({
    description:
      "Whether customers are told by SMS about what has changed: a password, the username, the document password, a trusted device, a lock. The default is `on` in production, and `off` in the demo, so that the newest message is the code.",
  }),
};

type SmsVariables = z.output<z.ZodObject<typeof smsVariables>>;

/** The gateway in use, with its settings. */
export type SmsSettings =
  | { readonly gateway: "outbox" }
  | { readonly gateway: "smsapi"; readonly url: string; readonly token: string; readonly sender: string }
  | { readonly gateway: "webhook"; readonly url: string; readonly token: string };

/** The settings that decide whether there is a gateway at all. */
interface Portal {
  readonly PORTAL_MODE: "demo" | "production";
  /** If set, the attached backend sends the messages. */
  readonly BACKEND_URL?: string | undefined;
}

/** Whether SMS notices are sent. */
export function sendsNotices({
  PORTAL_MODE,
  SMS_NOTICES,
}: Portal & Pick<SmsVariables, "SMS_NOTICES">): boolean {
  return (SMS_NOTICES ?? (PORTAL_MODE === "production" ? "on" : "off")) === "on";
}

/** A sentence for each variable that the gateway lacks. */
export function missingForSms(settings: Portal & SmsVariables): readonly string[] {
  if (settings.BACKEND_URL !== undefined) return [];
  const read = readSmsSettings(settings);
  return read.gateway === "none" ? read.problems : [];
}

/** The chosen gateway, or a sentence for each variable that it lacks. */
export function readSmsSettings({
  PORTAL_MODE,
  SMS_GATEWAY,
  ...given
}: Portal & SmsVariables): SmsSettings | { readonly gateway: "none"; readonly problems: readonly string[] } {
  const lacking = (...names: (keyof SmsVariables)[]) => ({
    gateway: "none" as const,
    problems: names
      .filter((name) => ({ SMS_GATEWAY, ...given })[name] === undefined)
      .map((name) => `${name}: expected with SMS_GATEWAY=${SMS_GATEWAY ?? ""}`),
  });
  if (SMS_GATEWAY === "smsapi") {
    const { SMS_SMSAPI_TOKEN, SMS_SENDER, SMS_SMSAPI_URL } = given;
    if (SMS_SMSAPI_TOKEN === undefined || SMS_SENDER === undefined)
      return lacking("SMS_SMSAPI_TOKEN", "SMS_SENDER");
    return { gateway: "smsapi", url: SMS_SMSAPI_URL, token: SMS_SMSAPI_TOKEN, sender: SMS_SENDER };
  }
  if (SMS_GATEWAY === "webhook") {
    const { SMS_WEBHOOK_URL, SMS_WEBHOOK_TOKEN } = given;
    if (SMS_WEBHOOK_URL === undefined || SMS_WEBHOOK_TOKEN === undefined)
      return lacking("SMS_WEBHOOK_URL", "SMS_WEBHOOK_TOKEN");
    return { gateway: "webhook", url: SMS_WEBHOOK_URL, token: SMS_WEBHOOK_TOKEN };
  }
  if (PORTAL_MODE === "demo") return { gateway: "outbox" };
  return { gateway: "none", problems: ["SMS_GATEWAY: expected smsapi or webhook in production"] };
}

/** Messages carry a code, so they never cross a network unencrypted. */
function isEncryptedOrLocal({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
}
