import { readUpTo } from "~/platform/read-up-to.server";

/** A gateway answers with a line or two. */
const ANSWER_BYTES = 16 * 1024;

/** What is posted to a gateway. */
export interface Posting {
  readonly url: string;
  readonly token: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: URLSearchParams | string;
  /** An answer that takes longer is none, and of its body only what is there by then is waited for (ms). */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * The answer, or why there is none: then nobody knows whether the message was taken. `body` is empty when it was too
 * long, or broke off: the status stands all the same.
 */
export type Posted =
  | { readonly kind: "answered"; readonly status: number; readonly body: string }
  | { readonly kind: "unanswered"; readonly reason: string };

/** Posts to a gateway. No redirect is followed: it could lead a code anywhere (S70). Never throws. */
export async function post({ url, token, headers, body, timeoutMs, signal }: Posting): Promise<Posted> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, Accept: "application/json", ...headers },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    const read = await readUpTo(ANSWER_BYTES, answer).catch(() => Buffer.alloc(0));
    return { kind: "answered", status: answer.status, body: Buffer.from(read).toString("utf8") };
  } catch {
    // The error may quote the request: it is not kept.
    if (timeout.aborted) return { kind: "unanswered", reason: "no answer in time" };
    return { kind: "unanswered", reason: signal.aborted ? "the portal stops" : "unreachable" };
  }
}
