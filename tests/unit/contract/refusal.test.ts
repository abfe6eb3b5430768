import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnswerMessage, MessageHeaders } from "~/contract/messages.server";
import { decodeRefusal, encodeRefusal, REFUSAL_STATUS, type Refusal } from "~/contract/refusal.server";

function answer(status: number, body: object, headers: MessageHeaders = {}): AnswerMessage {
  return { status, headers, setCookies: [], body: JSON.stringify(body) };
}

/** A refusal as the other side receives it. */
function sent(refusal: Refusal): AnswerMessage {
  const { status, body, headers } = encodeRefusal(refusal);
  return answer(status, body, headers);
}

const seconds = fc.integer({ min: 0, max: 86_400 });
const anyRefusal: fc.Arbitrary<Refusal> = fc.oneof(
  fc.record(
    {
      kind: fc.constant("refused" as const),
      errorCode: fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
      retryAfterSeconds: seconds,
    },
    { requiredKeys: ["kind", "errorCode"] },
  ),
  fc.record({ kind: fc.constant("invalid" as const), fields: fc.array(fc.string()) }),
  fc.record({
    kind: fc.constantFrom("rate-limited" as const, "busy" as const, "unavailable" as const),
    retryAfterSeconds: seconds,
  }),
  fc.record({ kind: fc.constantFrom("signed-out" as const, "not-activated" as const) }),
);

describe("a refusal", () => {
  it("comes out as it went in", () => {
    fc.assert(
      fc.property(anyRefusal, (refusal) => {
        expect(decodeRefusal(sent(refusal))).toEqual(refusal);
      }),
    );
  });

  it.each<[Refusal, number, string, Record<string, string>]>([
    [{ kind: "refused", errorCode: "101" }, 400, '{"errorCode":"101"}', {}],
    [
      { kind: "refused", errorCode: "106", retryAfterSeconds: 900 },
      400,
      '{"errorCode":"106","retryAfterSeconds":900}',
      {},
    ],
    [{ kind: "signed-out" }, 401, "{}", {}],
    [{ kind: "not-activated" }, 409, "{}", {}],
    [
      { kind: "invalid", fields: ["username", "password"] },
      422,
      '{"errorCode":"invalid","fields":["username","password"]}',
      {},
    ],
    [
      { kind: "rate-limited", retryAfterSeconds: 600 },
      429,
      '{"errorCode":"rate-limited","retryAfterSeconds":600}',
      { "retry-after": "600" },
    ],
    [
      { kind: "busy", retryAfterSeconds: 2 },
      503,
      '{"errorCode":"busy","retryAfterSeconds":2}',
      { "retry-after": "2" },
    ],
  ])("%j travels as %i %s", (refusal, status, body, headers) => {
    const encoded = encodeRefusal(refusal);
    expect([encoded.status, JSON.stringify(encoded.body), encoded.headers]).toEqual([status, body, headers]);
  });

  it("has a status of its own for each kind, except that busy and unavailable share one", () => {
    const { unavailable, ...others } = REFUSAL_STATUS;
    const statuses = Object.values(others);
    expect(new Set(statuses).size).toBe(statuses.length);
    expect(unavailable).toBe(others.busy);
  });

  it("[S115] with 503 means a crowd, unless it says that the portal is not available", () => {
    const read = (errorCode: string) => decodeRefusal(answer(503, { errorCode, retryAfterSeconds: 5 }));
    expect(read("unavailable")).toEqual({ kind: "unavailable", retryAfterSeconds: 5 });
    expect(read("maintenance")).toEqual({ kind: "busy", retryAfterSeconds: 5 });
  });

  it.each([
    [{ errorCode: "busy" }, "7", 7],
    [{ errorCode: "busy" }, "soon", 60],
    [{ errorCode: "busy" }, undefined, 60],
    [{ errorCode: "busy", retryAfterSeconds: 1.5 }, "7", 2],
    [{ errorCode: "busy", retryAfterSeconds: 1e300 }, undefined, 86_400],
  ])("that says %j, and Retry-After: %s, means %i s", (body, retryAfter, retryAfterSeconds) => {
    const read = decodeRefusal(answer(503, body, { "retry-after": retryAfter }));
    expect(read).toEqual({ kind: "busy", retryAfterSeconds });
  });
});
