import { describe, expect, test } from "vitest";
import { register } from "../new-account";
import { Visitor } from "../visitor";
import { newCustomer, sharedPortal } from "../shared-portal";
import { readPage } from "./account-page";

const portal = sharedPortal();

describe("§2 /cp/profile: trusted devices", () => {
  async function trusting(): Promise<{ visitor: Visitor; phone: string }> {
    const { account } = await register(portal, newCustomer());
    const visitor = new Visitor(portal);
    await visitor.signIn(account, true);
    await new Visitor(portal).signIn(account, true);
    return { visitor, phone: account.phone };
  }
  const devices = async (visitor: Visitor) => {
    const { body } = await visitor.call("GET", "/cp/api/profile");
    return (JSON.parse(body) as { trustedDevices: { id: string }[] }).trustedDevices.map(({ id }) => id);
  };

  test("[S44] one is removed, by two requests at once, and the other stays", async () => {
    const { visitor } = await trusting();
    const [one = "", other = ""] = await devices(visitor);
    const answers = await Promise.all(
      [visitor.twin(), visitor.twin()].map((window) =>
        window.post("/cp/profile", { intent: "revoke", device: one }),
      ),
    );
    expect(answers.map(({ header }) => header("Location"))).toEqual(["/cp/profile", "/cp/profile"]);
    expect(await devices(visitor)).toEqual([other]);
    visitor.cookies.set(
      "flow",
      answers[0]
        ?.lines("Set-Cookie")
        .join(";")
        .match(/flow=([^;]+)/)?.[1] ?? "",
    );
    expect(readPage((await visitor.get("/cp/profile")).body).says("Urządzenie nie jest już zaufane.")).toBe(
      true,
    );
  });

  test("removing one with any other id removes none and signs nobody out", async () => {
    const { visitor } = await trusting();
    const before = await devices(visitor);
    const ids = ["", ".", "..", "../policies", "a/b", "%2e%2e", "Anna's", "\u0000", "x".repeat(4001)];
    for (const device of ids) {
      const answer = await visitor.post("/cp/profile", { intent: "revoke", device });
      expect([device, [303, 400, 404].includes(answer.status)]).toEqual([device, true]);
      expect([device, await devices(visitor)]).toEqual([device, before]);
    }
    expect((await visitor.get("/cp")).status).toBe(200);
  });
});
