import { readUpTo } from "~/platform/files/read-up-to.server";
import { fetchOutside } from "~/platform/network/forward-proxy.server";
import type { GatewayName } from "../store/message-kinds.server";
import type { Delivery } from "./delivery.server";

/** A text message on its way to the gateway. */
export interface OutgoingSms {
  /** The same at every attempt, so that the gateway can drop duplicates. */
  readonly id: string;
  /** In international form: `+48500100001`. */
  readonly to: string;
  readonly text: string;
  /** When it was written, and when it is too old to send, in ms. */
  readonly sentAt: number;
  readonly endsAt: number;
}

/** How far an accepted message has come, according to the gateway. */
export type Progress = "on its way" | "delivered" | "not delivered";

/** A service that delivers text messages. */
export interface SmsGateway {
  readonly name: GatewayName;
  /** Tries once, and stops when `signal` aborts. Never throws. */
  send(sms: OutgoingSms, signal: AbortSignal): Promise<Delivery>;
  /**
   * Asks for the progress of an accepted message. Missing if the gateway has no such query; undefined if it gives no status.
   * Never throws.
   * @param id the gateway's id for it
   */
  progress?(id: string, signal: AbortSignal): Promise<Progress | undefined>;
}

/** A gateway whose settings can be checked without sending. */
export interface CheckedGateway extends SmsGateway {
  /**
   * Asks as a message would, with the same address, account and token, but sends none. Returns why no message would be
   * accepted; undefined if one would be. Never throws.
   */
  check(signal: AbortSignal): Promise<string | undefined>;
}

/** Plenty: a gateway answers with a line or two. */
const ANSWER_BYTES = 16 * 1024;

interface Posting {
  readonly url: string;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: URLSearchParams | string;
  /** How long to wait for the answer and its body (ms). */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * The answer, or the reason why there is none: then the message may or may not have been accepted. `body` is empty if
 * it was too long or incomplete; the status still counts.
 */
export type Posted =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly body: string;
      /** The `Content-Type`; empty if there is none. */
      readonly type: string;
    }
  | { readonly kind: "unanswered"; readonly reason: string };

/** Posts to a gateway. Doesn't follow redirects, which could send a code anywhere (S70). Never throws. */
export async function post({ url, token, headers, body, timeoutMs, signal }: Posting): Promise<Posted> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetchOutside(url, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, Accept: "application/json", ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    const read = await readUpTo(ANSWER_BYTES, answer.body).catch(() => Buffer.alloc(0));
    const type = answer.headers.get("Content-Type") ?? "";
    return { kind: "answered", status: answer.status, body: Buffer.from(read).toString("utf8"), type };
  } catch {
    // Drop the error: it may quote the request.
    if (timeout.aborted) return { kind: "unanswered", reason: "no answer in time" };
    return { kind: "unanswered", reason: signal.aborted ? "the portal is stopping" : "unreachable" };
  }
}
