import { afterEach, describe, expect, it } from "vitest";
import { Browser, fieldsOf } from "../../../contract/browser";
import { ANNA, PIOTR } from "../../../demo-customers";
import { bodyOf, withPassword } from "../../../factor-steps";
import { openTestBackend, type TestBackend } from "../test-backend";
import { FACTORS, OFFERED, ORIGIN } from "./passkey-steps";

describe("passkeys", () => {
  let way: TestBackend;
  let owner: Browser;

  async function open(settings: {
    readonly origin?: string | undefined;
    readonly rpId?: string | undefined;
  }) {
    way = await openTestBackend({ factors: { ...OFFERED, origin: undefined, ...settings } });
    owner = new Browser(way);
    await owner.signIn(ANNA);
  }

  afterEach(() => way.close());

  it.each([
    ["without a name of its own", undefined, undefined],
    ["at an IP address", "https://192.0.2.1", undefined],
    ["over plain http", "http://portal.example", undefined],
    ["with a relying party that doesn't fit", ORIGIN, "another.example"],
    ["with a part of a name", ORIGIN, "ortal.example"],
    ["with a top-level domain", ORIGIN, "example"],
  ])("[S148] are not offered %s: their calls are 404, for strangers too", async (_what, origin, rpId) => {
    await open({ origin, rpId });
    expect(bodyOf(await owner.get(FACTORS))).toHaveProperty("offered", ["app"]);
    for (const browser of [owner, new Browser(way), await withPassword(way, PIOTR)])
      for (const call of ["prepare", "confirm"])
        expect((await browser.put(`${FACTORS}/passkey/${call}`)).status).toBe(404);
    expect(fieldsOf(await owner.put(`${FACTORS}/init`, { method: "passkey" }))).toEqual(["method"]);
  });

  it("[S148] without a public origin belong to localhost, whatever its port", async () => {
    await open({});
    const list = async (host: string) =>
      (await owner.fetch("GET", FACTORS, undefined, { Host: host })).json() as Promise<object>;
    expect(await list("localhost:3000")).toHaveProperty("offered", ["app", "passkey"]);
    expect(await list("127.0.0.1:3000")).toHaveProperty("offered", ["app"]);
    expect(await list("localhost.example:3000")).toHaveProperty("offered", ["app"]);
  });

  it("belong to a domain above the portal's, if the operator says so", async () => {
    await open({ origin: "https://moje.portal.example", rpId: "portal.example" });
    expect(bodyOf(await owner.get(FACTORS))).toHaveProperty("offered", ["app", "passkey"]);
  });
});
