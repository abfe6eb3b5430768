import { beforeEach, expect, it, vi } from "vitest";
import { signedIn } from "~/visit/gate.server";
import { calls, empty, json, replies, reset } from "./backend-stub";
import { endOf, visitOf } from "./visit";

vi.mock("~/platform/telemetry/log.server", () => ({ log: () => ({ error: () => undefined }) }));

beforeEach(reset);

it.each([
  ["userInfo", "105", "GET"],
  ["userInit", "106", "GET"],
  ["userInit", "108", "POST"],
] as const)(
  "[F6] a customer whose account is barred (%s: %s, %s) is signed out and led to the start page",
  async (...row) => {
    const [call, errorCode, method] = row;
    const visiting = visitOf("signed in", "/cp", { method });
    replies[call] = () => json(400, { errorCode });
    replies.deleteSession = () => empty(204);
    expect(await visiting.run((args) => endOf(signedIn(args)))).toMatchObject({
      kind: "redirect",
      to: "/home",
    });
    expect(calls).toContain("deleteSession");
    expect(visiting.cookie("session")).toBe("");
  },
);
