import { inspect } from "node:util";
import fc from "fast-check";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Send } from "~/visit/backend-client/attached.server";
import { backendFor } from "~/visit/backend-client/backend-client.server";
import { CALLS, type CallName } from "~/contract/calls.server";
import { answerOf, requestOf } from "../../messages";
import { log } from "~/platform/telemetry/log.server";
import { metricsRegistry } from "~/platform/telemetry/metrics.server";

let sent: Request[] = [];
let reported: unknown[] = [];
let setCookies: string[] = [];
beforeEach(() => {
  sent = [];
  reported = [];
  setCookies = [];
  vi.spyOn(log(), "error").mockImplementation(({ err }: { readonly err?: unknown }) => {
    reported.push(err);
  });
});

/** A client whose backend gives this answer. */
function clientOf(reply: () => Promise<Response>) {
  const request = new Request("http://portal.example/home", {
    headers: { Cookie: "session=s; flow=sealed; trusted-device=t; trusted-device-2=u; trusted-device-4=v" },
  });
  const context = {
    clientAddress: "203.0.113.9",
    isForwarded: false,
    requestId: "b10c4a7be000",
    receivedAt: 1_795_000_000_123,
    setCookies,
  };
  const send: Send = async (call) => {
    sent.push(requestOf(call));
    return answerOf(await reply());
  };
  return backendFor(request, context, send);
}

/** A client whose backend gives an answer with this status and JSON. */
const answering = (status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}) =>
  clientOf(() =>
    Promise.resolve(new Response(body === undefined ? null : JSON.stringify(body), { status, headers })),
  );

const CREDENTIALS = { username: "anna.nowak", password: " Demo-Hasło-2026 " };

describe("a call", () => {
  it("says in headers who makes it, and carries only the backend's cookies", async () => {
    await answering(200, {}).call("login", CREDENTIALS);
    const [request] = sent;
    expect(request?.method).toBe("POST");
    expect(new URL(request?.url ?? "").pathname).toBe("/home/api/auth/login");
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      cookie: "session=s; trusted-device=t",
      "content-type": "application/json",
      "x-forwarded-for": "203.0.113.9",
      "x-request-id": "b10c4a7be000",
      "x-received-at": "1795000000123",
      "x-device-name": "nieznana%20przegl%C4%85darka%2C%20nieznany%20system",
    });
    expect(await request?.json()).toEqual(CREDENTIALS);
  });

  it("of an attached backend sets the cookie of the device trusted last, and none of the further ones", async () => {
    const client = clientOf(() => {
      const names = ["trusted-device", "trusted-device-2", "__Host-trusted-device-3", "trusted-device-4"];
      const headers = new Headers(
        names.map((name) => ["Set-Cookie", `${name}=new; Path=/`] as [string, string]),
      );
      return Promise.resolve(new Response("{}", { status: 200, headers }));
    });
    await client.call("login", CREDENTIALS);
    expect(setCookies).toEqual(["trusted-device=new; Path=/"]);
  });

  it("puts fields into the path where the contract says so, and all others into the body", async () => {
    await answering(200, {}).call("passwordResetInit", { username: "zażółć gęślą/jaźń?#%", resend: true });
    const [request] = sent;
    const segment = new URL(request?.url ?? "").pathname.split("/")[4] ?? "";
    expect(decodeURIComponent(segment)).toBe("zażółć gęślą/jaźń?#%");
    expect(await request?.json()).toEqual({ resend: true });
  });

  it("that only reads has no body", async () => {
    await answering(200, { policies: [] }).call("policies", {});
    await answering(204).call("deleteSession", {});
    for (const request of sent) {
      expect(request.body).toBeNull();
      expect(request.headers.has("Content-Type")).toBe(false);
    }
    expect(sent.map(({ method }) => method)).toEqual(["GET", "DELETE"]);
  });

  it("passes a password on code unit by code unit", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (password) => {
        sent = [];
        await answering(200, {}).call("login", { username: "anna.nowak", password });
        expect(await sent[0]?.json()).toEqual({ username: "anna.nowak", password });
      }),
    );
  });
});

describe("the outcome of a call", () => {
  const login = (status: number, body?: unknown) => answering(status, body).call("login", CREDENTIALS);

  it("is the value that the contract names, and nothing else", async () => {
    const body = { name: "Anna Nowak", username: "anna.nowak", isAdmin: true };
    expect(await answering(200, body).call("userInfo", {})).toEqual({
      kind: "done",
      value: { name: "Anna Nowak", username: "anna.nowak" },
    });
    expect(await answering(204).call("deleteSession", {})).toEqual({ kind: "done", value: {} });
  });

  it.each([
    [401, {}, { kind: "signed-out" }],
    [401, undefined, { kind: "signed-out" }],
    [400, { errorCode: "toString" }, { kind: "refused", errorCode: "toString" }],
    [422, { errorCode: "invalid" }, { kind: "invalid", fields: [] }],
    [503, { errorCode: "busy" }, { kind: "busy", retryAfterSeconds: 60 }],
  ])("%i %j is %j", async (status, body, answer) => {
    expect(await login(status, body)).toEqual(answer);
    expect(reported).toEqual([]);
  });

  it.each([201, 202, 206, 300, 301, 302, 304, 307, 402, 403, 404, 405, 410, 418, 500, 501, 502, 504, 599])(
    "%i is a failure with any body, since the contract doesn't have it",
    async (status) => {
      const body = status === 304 ? undefined : { errorCode: "101" };
      expect(await login(status, body)).toEqual({ kind: "failed" });
    },
  );

  it.each([
    [200, "no JSON", "<html>"],
    [200, "no body", ""],
    [200, "null", "null"],
    [200, "a field missing", '{"name":"Anna Nowak"}'],
    [200, "a field of another type", '{"name":"Anna Nowak","username":["anna.nowak"]}'],
    [400, "no JSON", "Bad Request"],
    [400, "no code", "{}"],
    [400, "a code that is a number", '{"errorCode":101}'],
    [400, "a code as long as a page", JSON.stringify({ errorCode: "1".repeat(5000) })],
    [400, "a negative time", '{"errorCode":"106","retryAfterSeconds":-1}'],
    [422, "fields that aren't a list", '{"errorCode":"invalid","fields":{}}'],
    [429, "no JSON", "slow down"],
    [503, "a proxy's page", "<h1>503</h1>"],
  ])("%i with %s is a failure, and is reported", async (status, _what, body) => {
    const client = clientOf(() => Promise.resolve(new Response(body, { status })));
    expect(await client.call("userInfo", {})).toEqual({ kind: "failed" });
    expect(reported).toHaveLength(1);
  });

  it.each([
    [200, "done"],
    [400, "refused"],
    [401, "unauthenticated"],
    [409, "not-activated"],
    [422, "invalid"],
    [429, "wait"],
    [503, "wait"],
    [500, "failed"],
  ])("%i is counted as %s", async (status, result) => {
    const counted = async () => {
      const text = await metricsRegistry().getSingleMetricAsString("portal_backend_calls_total");
      return Number(new RegExp(`\\{result="${result}"\\} (\\d+)`).exec(text)?.[1]);
    };
    const before = await counted();
    await login(status, { errorCode: "101" });
    expect(await counted()).toBe(before + 1);
  });

  it("is a failure if no answer comes, never an exception", async () => {
    const unreachable = clientOf(() => Promise.reject(new TypeError("fetch failed")));
    expect(await unreachable.call("userInfo", {})).toEqual({ kind: "failed" });
    const broken = clientOf(() => {
      throw new Error("at once");
    });
    expect(await broken.call("userInfo", {})).toEqual({ kind: "failed" });
    const torn = clientOf(() =>
      Promise.resolve(
        new Response(new ReadableStream({ pull: (stream) => stream.error(new Error("reset")) }), {
          status: 200,
        }),
      ),
    );
    expect(await torn.call("userInfo", {})).toEqual({ kind: "failed" });
    expect(reported).toHaveLength(3);
  });

  it("is never reported with anything that was sent", async () => {
    await clientOf(() => Promise.resolve(new Response("<html>", { status: 200 }))).call("login", CREDENTIALS);
    const said = inspect(reported, { depth: 9 });
    expect(said).not.toContain(CREDENTIALS.password.trim());
    expect(said).not.toContain(CREDENTIALS.username);
  });

  it("sets the backend's cookies even if it is a refusal", async () => {
    const headers = { "Set-Cookie": `browser=${"b".repeat(43)}; Path=/` };
    const client = answering(400, { errorCode: "101" }, headers);
    await client.call("login", CREDENTIALS);
    await client.call("userInfo", {});
    expect(sent[1]?.headers.get("Cookie")).toBe(`session=s; trusted-device=t; browser=${"b".repeat(43)}`);
  });
});

it("every call of the contract can be made, and goes to its own address", async () => {
  const fields = { username: "anna.nowak", mode: "create", id: "device" };
  for (const name of Object.keys(CALLS) as CallName[]) {
    sent = [];
    await answering(500).call(name, fields);
    const { method, path } = CALLS[name];
    const expected = path
      .replace("{username}", "anna.nowak")
      .replace("{mode}", "create")
      .replace("{id}", "device");
    expect([sent[0]?.method, new URL(sent[0]?.url ?? "").pathname], name).toEqual([method, expected]);
  }
});
