import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { GatewayName } from "../store/message-kinds.server";
import type { Delivery } from "./delivery.server";
import { type CheckedGateway, post, type Posted } from "./gateway.server";

/** A server that accepts messages over HTTP and sends them on. */
interface Webhook {
  readonly url: string;
  readonly token: string;
  /** How long to wait for an answer (ms). */
  readonly timeoutMs: number;
}

/** Temporary refusals, possibly from a proxy. */
const RETRYABLE = new Set([408, 409, 425, 429]);
/** No message will be accepted until an operator fixes the address or the token, whatever the answer says. */
const MISCONFIGURED = new Set([401, 403, 404, 405, 407]);
/** A message without number and text is refused with one of these. */
const INCOMPLETE = new Set([400, 422]);

/** Only the server itself can say that a refusal is about this number or this message; a proxy answers 400, too. */
const REFUSAL = z.object({ about: z.enum(["number", "message"]) });
/** A login page, a maintenance page, or the front page of a site: nothing that takes messages. */
const PAGE = /^\s*<(?:!doctype html|html)\b/i;

/**
 * Posts `{ id, to, text, sentAt, expiresAt }`. Each answer's meaning: docs/decisions/sms.md. A repeated attempt has the
 * same `id` and `Idempotency-Key`, so the server can drop duplicates.
 */
export function webhookGateway(
  { url, token, timeoutMs }: Webhook,
  name: GatewayName = "webhook",
): CheckedGateway {
  const ask = (id: string, message: object, signal: AbortSignal) =>
    post({
      url,
      token,
      headers: { "Content-Type": "application/json", "Idempotency-Key": id },
      body: JSON.stringify({ id, ...message }),
      timeoutMs,
      signal,
    });
  return {
    name,
    async send({ id, to, text, sentAt, endsAt }, signal) {
      const message = { to, text, sentAt: isoTime(sentAt), expiresAt: isoTime(endsAt) };
      return deliveryOf(await ask(id, message, signal));
    },
    async check(signal) {
      const posted = await ask(randomUUID(), { test: true }, signal);
      if (posted.kind === "answered" && INCOMPLETE.has(posted.status)) return undefined;
      const delivery = deliveryOf(posted);
      return delivery.kind === "accepted" ? undefined : delivery.reason;
    },
  };
}

function deliveryOf(posted: Posted): Delivery {
  if (posted.kind === "unanswered") return { kind: "later", reason: posted.reason, alarm: false };
  const { status, body } = posted;
  const reason = `status ${status}`;
  if (status >= 200 && status < 300) {
    if (!isPage(posted)) return { kind: "accepted" };
    return { kind: "later", reason: `${reason} with a web page`, alarm: true };
  }
  if (status >= 500 || RETRYABLE.has(status)) return { kind: "later", reason, alarm: false };
  const about =
    status < 400 || MISCONFIGURED.has(status) ? undefined : REFUSAL.safeParse(parse(body)).data?.about;
  if (about === "number") return { kind: "refused", reason, about };
  if (about === "message") return { kind: "refused", reason };
  return { kind: "later", reason, alarm: true };
}

function isPage({ type, body }: Extract<Posted, { kind: "answered" }>): boolean {
  return /\bx?html\b/i.test(type) || PAGE.test(body);
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
