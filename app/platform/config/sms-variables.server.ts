import { isIP } from "node:net";
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

const sender = z
  .string()
  .regex(/^[A-Za-z0-9 .-]{1,11}$/, "a sender's name of at most 11 letters, digits, spaces, dots and hyphens");

const gatewayAddress = (expected: string) =>
  z.string().transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url && isEncryptedOrLocal(url) && url.username + url.password + url.hash === "") return url.href;
    context.addIssue({ code: "custom", message: expected });
    return z.NEVER;
  });

const smsapiAddress = gatewayAddress("an https address such as https://api.smsapi.pl/sms.do").default(
  "https://api.smsapi.pl/sms.do",
);
const webhookAddress = gatewayAddress("an https address such as https://sms.insurer.example/messages");

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
  SMS_SENDER: sender
    .optional()
    .meta({ description: "The sender name registered at SMSAPI.pl, at most 11 characters." }),
  SMS_SMSAPI_URL: smsapiAddress.meta({
    description:
      "The address of SMSAPI.pl. Their second host is `https://api2.smsapi.pl/sms.do`. It must be https unless it is this machine.",
  }),
  SMS_WEBHOOK_URL: webhookAddress
    .optional()
    .meta({ description: "Where messages are posted as JSON. It must be https unless it is this machine." }),
  SMS_WEBHOOK_TOKEN: token.optional().meta({
    description: "The token sent to that server in `Authorization: Bearer …`, at least 16 characters.",
    secret: true,
  }),
  SMS_FALLBACK_GATEWAY: z.enum(["smsapi", "webhook"], "smsapi or webhook").optional().meta({
    description:
      "A second gateway, `smsapi` or `webhook`. It gets a message that the first one refuses for another reason than the number, or doesn't answer for.",
  }),
  SMS_FALLBACK_SMSAPI_TOKEN: token.optional().meta({
    description: "The same as `SMS_SMSAPI_TOKEN`, for the second gateway.",
    secret: true,
  }),
  SMS_FALLBACK_SENDER: sender
    .optional()
    .meta({ description: "The same as `SMS_SENDER`, for the second gateway." }),
  SMS_FALLBACK_SMSAPI_URL: smsapiAddress.meta({
    description:
      "The same as `SMS_SMSAPI_URL`, for the second gateway. With the same account on their second host no message arrives twice.",
  }),
  SMS_FALLBACK_WEBHOOK_URL: webhookAddress
    .optional()
    .meta({ description: "The same as `SMS_WEBHOOK_URL`, for the second gateway." }),
  SMS_FALLBACK_WEBHOOK_TOKEN: token.optional().meta({
    description: "The same as `SMS_WEBHOOK_TOKEN`, for the second gateway.",
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
  SMS_DOMAIN_BOUND: z.enum(["on", "off"], "on or off").default("on").meta({
    description:
      "Whether the last line of a message with a code binds it to the host of `PUBLIC_ORIGIN`: `@portal.example #012345`. Phones then offer the code by themselves, and only there. It needs an https origin with a name, and room for the line within the 160 characters of one message.",
  }),
};

/** The variables that say how text messages are sent. */
export type SmsVariables = z.output<z.ZodObject<typeof smsVariables>>;

/** A gateway and its settings. */
export type GatewaySettings =
  | { readonly gateway: "smsapi"; readonly url: string; readonly token: string; readonly sender: string }
  | { readonly gateway: "webhook"; readonly url: string; readonly token: string };

/** The gateway in use, and the second one, if there is one. */
export type SmsSettings =
  | { readonly gateway: "outbox" }
  | (GatewaySettings & { readonly fallback?: GatewaySettings });

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

/** The host that codes are bound to (WICG, origin-bound one-time codes): a name that is reached by https. */
export function hostOfCodes({
  PUBLIC_ORIGIN,
  SMS_DOMAIN_BOUND,
}: Pick<SmsVariables, "SMS_DOMAIN_BOUND"> & {
  readonly PUBLIC_ORIGIN?: string | undefined;
}): string | undefined {
  if (PUBLIC_ORIGIN === undefined || SMS_DOMAIN_BOUND === "off") return undefined;
  const { protocol, hostname } = new URL(PUBLIC_ORIGIN);
  const isName = isIP(hostname.replace(/^\[(.*)\]$/, "$1")) === 0;
  return protocol === "https:" && isName ? hostname : undefined;
}

/** A sentence for each variable that the gateway lacks. */
export function missingForSms(settings: Portal & SmsVariables): readonly string[] {
  if (settings.BACKEND_URL !== undefined) return [];
  const read = readSmsSettings(settings);
  return read.gateway === "none" ? read.problems : [];
}

/** Incomplete settings: a sentence for each variable that is missing or has no effect. */
interface Lacking {
  readonly gateway: "none";
  readonly problems: readonly string[];
}

/** The chosen gateways, or a sentence for each variable that they lack. */
export function readSmsSettings(settings: Portal & SmsVariables): SmsSettings | Lacking {
  const first = readGateway("SMS_", settings.SMS_GATEWAY, settings);
  const fallback = readGateway("SMS_FALLBACK_", settings.SMS_FALLBACK_GATEWAY, settings);
  const useless = uselessForFallback(settings);
  if (first?.gateway === "none" || fallback?.gateway === "none" || useless.length > 0)
    return { gateway: "none", problems: [...problemsOf(first), ...problemsOf(fallback), ...useless] };
  if (first) return { ...first, ...(fallback && { fallback }) };
  if (settings.PORTAL_MODE === "demo") return { gateway: "outbox" };
  return { gateway: "none", problems: ["SMS_GATEWAY: expected smsapi or webhook in production"] };
}

/** The gateways that lack nothing. Not for sending: a message must not go past a gateway that lacks something. */
export function completeGateways(
  settings: SmsVariables,
): Readonly<Record<"first" | "fallback", GatewaySettings | undefined>> {
  const complete = (read: GatewaySettings | Lacking | undefined) =>
    read?.gateway === "none" ? undefined : read;
  return {
    first: complete(readGateway("SMS_", settings.SMS_GATEWAY, settings)),
    fallback: complete(readGateway("SMS_FALLBACK_", settings.SMS_FALLBACK_GATEWAY, settings)),
  };
}

function problemsOf(read: GatewaySettings | Lacking | undefined): readonly string[] {
  return read?.gateway === "none" ? read.problems : [];
}

/** A gateway whose variables have this prefix; undefined if none was chosen. */
function readGateway(
  prefix: "SMS_" | "SMS_FALLBACK_",
  gateway: SmsVariables["SMS_GATEWAY"],
  settings: SmsVariables,
): GatewaySettings | Lacking | undefined {
  const lacking = (...names: (keyof SmsVariables)[]): Lacking => ({
    gateway: "none",
    problems: names
      .filter((name) => settings[name] === undefined)
      .map((name) => `${name}: expected with ${prefix}GATEWAY=${gateway ?? ""}`),
  });
  if (gateway === "smsapi") {
    const [tokenName, senderName] = [`${prefix}SMSAPI_TOKEN`, `${prefix}SENDER`] as const;
    const { [tokenName]: token, [senderName]: sender, [`${prefix}SMSAPI_URL` as const]: url } = settings;
    if (token === undefined || sender === undefined) return lacking(tokenName, senderName);
    return { gateway, url, token, sender };
  }
  if (gateway === "webhook") {
    const [urlName, tokenName] = [`${prefix}WEBHOOK_URL`, `${prefix}WEBHOOK_TOKEN`] as const;
    const { [urlName]: url, [tokenName]: token } = settings;
    if (url === undefined || token === undefined) return lacking(urlName, tokenName);
    return { gateway, url, token };
  }
  return undefined;
}

/** Reports settings of a second gateway that isn't used, so that no operator relies on it. */
function uselessForFallback(settings: SmsVariables): readonly string[] {
  const { SMS_GATEWAY, SMS_FALLBACK_GATEWAY } = settings;
  if (SMS_FALLBACK_GATEWAY !== undefined)
    return SMS_GATEWAY === "smsapi" || SMS_GATEWAY === "webhook"
      ? []
      : ["SMS_FALLBACK_GATEWAY: expected only with SMS_GATEWAY=smsapi or webhook"];
  const parts = [
    "SMS_FALLBACK_SMSAPI_TOKEN",
    "SMS_FALLBACK_SENDER",
    "SMS_FALLBACK_WEBHOOK_URL",
    "SMS_FALLBACK_WEBHOOK_TOKEN",
  ] as const;
  const part = parts.find((name) => settings[name] !== undefined);
  return part === undefined ? [] : [`SMS_FALLBACK_GATEWAY: expected with ${part}`];
}

/** Messages carry a code, so they never cross a network unencrypted. */
function isEncryptedOrLocal({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
}
