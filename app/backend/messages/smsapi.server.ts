import { z } from "zod";
import type { GatewayName } from "../store/message-kinds.server";
import type { Delivery } from "./delivery.server";
import { type CheckedGateway, post, type Posted, type Progress } from "./gateway.server";

/** The reaction to an error of SMSAPI.pl. `alarm`: all messages wait until an operator fixes the account. */
type Verdict = "accepted" | "refused" | "later" | "alarm";

/** The errors that SMSAPI.pl documents for sending a single SMS, and the reaction to each. */
const SMSAPI_CODES: Readonly<Record<number, readonly [Verdict, string]>> = {
  8: ["alarm", "the request is malformed"],
  11: ["refused", "the text is empty, too long, or not in GSM-7"],
  12: ["refused", "the text has more parts than allowed"],
  13: ["refused", "the number cannot receive"],
  14: ["alarm", "the sender's name is not registered"],
  18: ["alarm", "wrong number of parameters"],
  19: ["alarm", "too many messages in one request"],
  20: ["alarm", "wrong number of idx values"],
  27: ["alarm", "the idx is too long"],
  32: ["refused", "the account may not send abroad"],
  33: ["refused", "no valid number"],
  52: ["later", "more than ten attempts to one number within a minute"],
  // The answer to an earlier attempt was lost. SMSAPI.pl remembers an idx for four days.
  53: ["accepted", "the idx was accepted before"],
  57: ["refused", "the number is blacklisted by the account"],
  74: ["alarm", "the account may not send at this time of day"],
  101: ["alarm", "invalid token"],
  102: ["alarm", "invalid login"],
  103: ["alarm", "no credits left"],
  105: ["alarm", "this machine's IP address is not allowed"],
  110: ["alarm", "the account may not send SMS"],
  200: ["later", "sending failed"],
  201: ["later", "an internal error of SMSAPI.pl"],
  202: ["later", "too many requests at once"],
  203: ["later", "too many requests"],
  999: ["later", "an internal error of SMSAPI.pl"],
};

/** The errors about the number, which another gateway wouldn't solve. */
const ABOUT_NUMBER = new Set([13, 33, 52, 57]);

/** A placeholder for checks, which send nothing. */
const NO_PHONE = "48500000000";

interface SmsapiAccount {
  /** `https://api.smsapi.pl/sms.do`, or the same on the second host. */
  readonly url: string;
  readonly token: string;
  /** The registered sender name. */
  readonly sender: string;
  /** How long to wait for an answer (ms). */
  readonly timeoutMs: number;
}

const errorCode = z.union([
  z.number(),
  z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number),
]);
/** The whole request was refused, possibly with status 200. */
const FAILED = z.object({ error: errorCode });
/** The request was accepted, though each recipient may still have an error. */
const ACCEPTED = z.object({
  list: z.array(z.object({ id: z.string().min(1), error: errorCode.nullish() })).min(1),
});

/**
 * The HTTP API of SMSAPI.pl. With `check_idx` it accepts an `idx` only once in four days. So if an answer gets lost,
 * the attempt can be repeated and only one SMS goes out.
 */
export function smsapiGateway(
  { url, token, sender, timeoutMs }: SmsapiAccount,
  name: GatewayName = "smsapi",
): CheckedGateway {
  const message = { from: sender, encoding: "utf-8", format: "json" };
  return {
    name,
    async send({ id, to, text }, signal) {
      const body = new URLSearchParams({
        ...message,
        to: to.replace("+", ""),
        message: text,
        idx: id,
        check_idx: "1",
      });
      return deliveryOf(await post({ url, token, body, timeoutMs, signal }));
    },
    async check(signal) {
      // With `test` it answers as if it had accepted the message, but neither sends nor charges it.
      const body = new URLSearchParams({ ...message, to: NO_PHONE, message: "test", test: "1" });
      const delivery = deliveryOf(await post({ url, token, body, timeoutMs, signal }));
      return delivery.kind === "accepted" || delivery.about !== undefined ? undefined : delivery.reason;
    },
    async progress(id, signal) {
      const body = new URLSearchParams({ status: id, format: "json" });
      return progressOf(await post({ url, token, body, timeoutMs, signal }));
    },
  };
}

function deliveryOf(posted: Posted): Delivery {
  if (posted.kind === "unanswered") return { kind: "later", reason: posted.reason, alarm: false };
  const { status } = posted;
  const answer = parse(posted.body);
  const failed = FAILED.safeParse(answer);
  if (failed.success) return byCode(failed.data.error);
  const accepted = ACCEPTED.safeParse(answer);
  const isSuccess = status >= 200 && status < 300;
  if (!isSuccess || !accepted.success) {
    // Perhaps a proxy's answer. The idx makes it safe to try again.
    const alarm = status >= 300 && status < 500 && status !== 408 && status !== 429;
    return { kind: "later", reason: isSuccess ? "an answer that makes no sense" : `status ${status}`, alarm };
  }
  const [{ id, error } = { id: "", error: undefined }] = accepted.data.list;
  return error === undefined || error === null ? { kind: "accepted", id } : byCode(error);
}

/** A message's status. A status that isn't named here or below means that the message is on its way. */
const REPORT = z.object({ list: z.array(z.object({ status: z.string() })).min(1) });
const NOT_DELIVERED: readonly string[] = [
  "NOT_FOUND",
  "EXPIRED",
  "UNDELIVERED",
  "FAILED",
  "REJECTED",
  "STOP",
];

function progressOf(posted: Posted): Progress | undefined {
  if (posted.kind === "unanswered") return undefined;
  const status = REPORT.safeParse(parse(posted.body)).data?.list[0]?.status;
  if (status === undefined || status === "UNKNOWN") return undefined;
  if (status === "DELIVERED") return "delivered";
  return NOT_DELIVERED.includes(status) ? "not delivered" : "on its way";
}

function byCode(code: number): Delivery {
  const [verdict, meaning] = SMSAPI_CODES[code] ?? ["alarm", "not in the list"];
  const reason = `error ${code}: ${meaning}`;
  const about = ABOUT_NUMBER.has(code) ? { about: "number" as const } : {};
  switch (verdict) {
    case "accepted":
      return { kind: "accepted" };
    case "refused":
      return { kind: "refused", reason, ...about };
    default:
      return { kind: "later", reason, alarm: verdict === "alarm", ...about };
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
