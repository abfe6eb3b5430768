import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Delivery } from "~/backend/messages/delivery.server";
import type { OutgoingSms } from "~/backend/messages/gateway.server";
import { smsapiGateway } from "~/backend/messages/smsapi.server";
import { startSmsapiServer, type Behaviour, type SmsapiServer } from "../../../smsapi-server";

const SMS: OutgoingSms = {
  id: "0199f0a1b2c3-0001-a1b2c3d4e5",
  to: "+48500100001",
  text: "Tarnea: kod autoryzacyjny do logowania: 012345. Nie podawaj go nikomu.\n\n@portal.example #012345",
  sentAt: 0,
  endsAt: 600_000,
};
const NEVER = new AbortController().signal;

describe("SMSAPI.pl", () => {
  let server: SmsapiServer;
  beforeEach(async () => {
    server = await startSmsapiServer();
  });
  afterEach(() => server.close());

  const send = (account: { token?: string; sender?: string; url?: string } = {}, sms = SMS) =>
    smsapiGateway({
      url: server.url,
      token: server.token,
      sender: "Tarnea",
      timeoutMs: 5000,
      ...account,
    }).send(sms, NEVER);

  it("receives a message with token, sender and idx, and its text unchanged", async () => {
    expect(await send()).toEqual({ kind: "accepted", id: "63731" });
    expect(server.sent).toEqual([{ from: "Tarnea", number: "48500100001", message: SMS.text, idx: SMS.id }]);
  });

  it("[S32] sends a message once if the answer was lost and it is offered again", async () => {
    server.behave("lost");
    expect(await send()).toEqual({ kind: "later", reason: "unreachable", alarm: false });
    server.behave("documented");
    expect(await send()).toEqual({ kind: "accepted" });
    expect(server.sent).toHaveLength(1);
  });

  const LATER: readonly [string, Behaviour, Partial<Delivery>][] = [
    ["hangs up", "broken-off", { reason: "unreachable", alarm: false }],
    ["answers nonsense", "nonsense", { reason: "an answer that makes no sense", alarm: false }],
    ["answers too much", "too-long", { reason: "an answer that makes no sense", alarm: false }],
    ["answers 500", { status: 500 }, { reason: "status 500", alarm: false }],
    ["answers 429", { status: 429 }, { reason: "status 429", alarm: false }],
    ["answers 404", { status: 404 }, { reason: "status 404", alarm: true }],
    ["redirects elsewhere", "redirect", { reason: "status 302", alarm: true }],
    ["gets too many requests", { error: 203 }, { alarm: false }],
    ["has an internal error", { error: 201 }, { alarm: false }],
    ["has no credits left", { error: 103 }, { alarm: true }],
    ["doesn't allow this machine", { error: 105 }, { alarm: true }],
    ["has an unknown error", { error: 777 }, { alarm: true }],
  ];
  it.each(LATER)("[S70] is asked again later if it %s", async (_what, behaviour, delivery) => {
    server.behave(behaviour);
    expect(await send()).toMatchObject({ kind: "later", ...delivery });
    expect(server.sent).toEqual([]);
    expect(server.requests()).toBe(1);
  });

  it.each([
    ["DELIVERED", "delivered"],
    ["UNDELIVERED", "not delivered"],
    ["EXPIRED", "not delivered"],
    ["SENT", "on its way"],
    ["UNKNOWN", undefined],
  ])("is asked how far a message has come: %s is %s", async (status, progress) => {
    const gateway = smsapiGateway({
      url: server.url,
      token: server.token,
      sender: "Tarnea",
      timeoutMs: 5000,
    });
    server.report(status);
    expect(await gateway.progress?.("63731", NEVER)).toBe(progress);
    server.behave("nonsense");
    expect(await gateway.progress?.("63731", NEVER)).toBeUndefined();
    expect(server.sent).toEqual([]);
  });

  it("[S70] is not waited for if it doesn't answer", async () => {
    server.behave("silent");
    const gateway = smsapiGateway({ url: server.url, token: server.token, sender: "Tarnea", timeoutMs: 20 });
    expect(await gateway.send(SMS, NEVER)).toEqual({
      kind: "later",
      reason: "no answer in time",
      alarm: false,
    });
    expect(await gateway.send(SMS, AbortSignal.abort())).toMatchObject({ reason: "the portal is stopping" });
  });

  it("is asked again later if it is unreachable", async () => {
    expect(await send({ url: "http://127.0.0.1:1/sms.do" })).toMatchObject({ kind: "later", alarm: false });
  });

  it("refuses a wrong token or sender: an alarm, and the message waits", async () => {
    expect(await send({ token: "wrong-token-0123456789" })).toMatchObject({ kind: "later", alarm: true });
    expect(await send({ sender: "Somebody" })).toMatchObject({ kind: "later", alarm: true });
  });

  it("is not asked again about a number it can't reach, and its text, which may repeat it, is dropped", async () => {
    expect(await send({}, { ...SMS, to: "+48221002030" })).toMatchObject({ kind: "refused" });
    server.behave({ error: 13 });
    const delivery = await send();
    expect(delivery).toEqual({
      kind: "refused",
      reason: "error 13: the number cannot receive",
      about: "number",
    });
    server.behave({ recipientError: 57 });
    expect(await send()).toMatchObject({ kind: "refused" });
  });
});
