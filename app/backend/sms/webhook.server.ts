import { type GatewayName, post, type SmsGateway } from "./gateway.server";

/** A server that accepts messages over HTTP and sends them on. */
interface Webhook {
  readonly url: string;
  readonly token: string;
  /** How long to wait for an answer (ms). */
  readonly timeoutMs: number;
}

/** Temporary refusals, possibly from a proxy. */
const RETRYABLE = new Set([408, 409, 425, 429]);
/** No message will be accepted until an operator fixes the address or the token. Any other 4xx is about the message. */
const MISCONFIGURED = new Set([401, 403, 404, 405, 407]);
/** The number can't receive messages. */
const BAD_NUMBER = 422;

/**
 * Posts `{ id, to, text, sentAt, expiresAt }`; 2xx means accepted. A repeated attempt has the same `id` and
 * `Idempotency-Key`, so the server can drop duplicates.
 */
export function webhookGateway(
  { url, token, timeoutMs }: Webhook,
  name: GatewayName = "webhook",
): SmsGateway {
  return {
    name,
    async send({ id, to, text, sentAt, endsAt }, signal) {
      const posted = await post({
        url,
        token,
        headers: { "Content-Type": "application/json", "Idempotency-Key": id },
        body: JSON.stringify({ id, to, text, sentAt: isoTime(sentAt), expiresAt: isoTime(endsAt) }),
        timeoutMs,
        signal,
      });
      if (posted.kind === "unanswered") return { kind: "later", reason: posted.reason, alarm: false };
      const { status } = posted;
      const reason = `status ${status}`;
      if (status >= 200 && status < 300) return { kind: "accepted" };
      if (status < 400 || MISCONFIGURED.has(status)) return { kind: "later", reason, alarm: true };
      if (status === BAD_NUMBER) return { kind: "refused", reason, about: "number" };
      if (status < 500 && !RETRYABLE.has(status)) return { kind: "refused", reason };
      return { kind: "later", reason, alarm: false };
    },
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
