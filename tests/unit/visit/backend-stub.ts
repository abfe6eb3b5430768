import { vi } from "vitest";
import { CALLS, type CallName } from "~/contract/calls.server";
import type { AnswerMessage, CallMessage } from "~/contract/messages.server";
import { log } from "~/platform/telemetry/log.server";
import { answerOf, requestOf } from "../../messages";

/** The stub's answer to one call: a response, one that never comes, or an exception. */
export type Reply = (request: Request) => Response | Promise<Response>;

/** The stub's answers, by call. A call without one is answered 500. */
export const replies: Partial<Record<CallName, Reply>> = {};

/** The calls made since the last `reset`, in order. */
export const calls: CallName[] = [];
/** The same calls, as requests. */
export const requests: Request[] = [];

/** Before each test: clears replies and calls, and keeps the log silent. Returns what to do after the test. */
export function reset(): () => void {
  for (const name of Object.keys(replies) as CallName[]) Reflect.deleteProperty(replies, name);
  calls.length = 0;
  requests.length = 0;
  const error = vi.spyOn(log(), "error").mockReturnValue();
  return () => {
    error.mockRestore();
  };
}

/** Answers a call as an attached backend does. */
export async function sendToStub(call: CallMessage): Promise<AnswerMessage> {
  const { method, path } = call;
  const names = Object.keys(CALLS) as CallName[];
  const name = names.find((each) => CALLS[each].method === method && CALLS[each].path === path);
  if (!name) throw new Error(`No call of the contract: ${method} ${path}`);
  const request = requestOf(call);
  calls.push(name);
  requests.push(request);
  return answerOf((await replies[name]?.(request)) ?? json(500, {}));
}

/** A JSON answer. */
export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), { status, headers });
}

/** An answer without a body. */
export function empty(status = 204, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers });
}

/** An answer that never comes. */
export function never(): Promise<Response> {
  return new Promise(() => undefined);
}
