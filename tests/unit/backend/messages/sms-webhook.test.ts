import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OutgoingSms } from "~/backend/messages/gateway.server";
import { webhookGateway } from "~/backend/messages/webhook.server";

const SMS: OutgoingSms = {
  id: "0199f0a1b2c3-0001-a1b2c3d4e5",
  to: "+48500100001",
  text: "Tarnea: 012345",
  sentAt: Date.UTC(2026, 10, 20, 12),
  endsAt: Date.UTC(2026, 10, 20, 12, 10),
};
const TOKEN = "token-of-the-webhook";

describe("a webhook", () => {
  let server: Server;
  let url: string;
  let status: number;
  let answer: string;
  let type: string;
  let got: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[];
  beforeEach(async () => {
    got = [];
    answer = "";
    type = "application/json";
    server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        got.push({ url: request.url, headers: request.headers, body });
        response.writeHead(status, { Location: `${url}/elsewhere`, "Content-Type": type });
        response.end(answer);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/messages?of=portal`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = () =>
    webhookGateway({ url, token: TOKEN, timeoutMs: 5000 }).send(SMS, new AbortController().signal);

  it("gets the message as JSON, with token and idempotency key", async () => {
    status = 202;
    expect(await send()).toEqual({ kind: "accepted" });
    const [{ headers, body, url: path } = { headers: {}, body: "", url: "" }] = got;
    expect(path).toBe("/messages?of=portal");
    expect(headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      "idempotency-key": SMS.id,
      "content-type": "application/json",
    });
    expect(JSON.parse(body)).toEqual({
      id: SMS.id,
      to: SMS.to,
      text: SMS.text,
      sentAt: "2026-11-20T12:00:00.000Z",
      expiresAt: "2026-11-20T12:10:00.000Z",
    });
  });

  it("[S32] isn't offered an accepted message again, whatever its answer contains", async () => {
    status = 200;
    answer = "x".repeat(20_000);
    expect(await send()).toEqual({ kind: "accepted" });
  });

  it.each([
    [200, { kind: "accepted" }],
    [408, { kind: "later", alarm: false }],
    [409, { kind: "later", alarm: false }],
    [425, { kind: "later", alarm: false }],
    [429, { kind: "later", alarm: false }],
    [500, { kind: "later", alarm: false }],
    [503, { kind: "later", alarm: false }],
    [400, { kind: "later", alarm: true }],
    [401, { kind: "later", alarm: true }],
    [402, { kind: "later", alarm: true }],
    [422, { kind: "later", alarm: true }],
    [404, { kind: "later", alarm: true }],
    [307, { kind: "later", alarm: true }],
  ])("that answers %i is understood as %j", async (answered, delivery) => {
    status = answered;
    expect(await send()).toMatchObject(delivery);
    expect(got).toHaveLength(1);
  });

  it.each([400, 402, 422])(
    "that answers %i blames the number or the message only if it says so",
    async (code) => {
      status = code;
      answer = '{"about":"number"}';
      expect(await send()).toEqual({ kind: "refused", reason: `status ${code}`, about: "number" });
      answer = '{"about":"message"}';
      expect(await send()).toEqual({ kind: "refused", reason: `status ${code}` });
      answer = '{"about":"gateway"}';
      expect(await send()).toEqual({ kind: "later", reason: `status ${code}`, alarm: true });
    },
  );

  it("that refuses its token can't blame the number", async () => {
    [status, answer] = [401, '{"about":"number"}'];
    expect(await send()).toEqual({ kind: "later", reason: "status 401", alarm: true });
  });

  it.each([
    ["text/html; charset=utf-8", "Zaloguj się"],
    ["", "\n<!DOCTYPE html><title>Przerwa</title>"],
  ])("[S32] hasn't accepted a message if it answers 200 with a web page (%j)", async (ofType, page) => {
    [status, type, answer] = [200, ofType, page];
    expect(await send()).toEqual({ kind: "later", reason: "status 200 with a web page", alarm: true });
  });

  const check = () =>
    webhookGateway({ url, token: TOKEN, timeoutMs: 5000 }).check(new AbortController().signal);

  it.each([
    [200, undefined],
    [400, undefined],
    [422, undefined],
    [401, "status 401"],
    [402, "status 402"],
    [500, "status 500"],
    [307, "status 307"],
  ])(
    "that answers a check with %i, without number and text, has this fault: %s",
    async (answered, reason) => {
      status = answered;
      expect(await check()).toBe(reason);
      expect(got[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
      expect(JSON.parse(got[0]?.body ?? "")).toEqual({ id: expect.any(String) as string, test: true });
    },
  );
});
