import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { seal } from "~/backend/secrets/keyring.server";
import { Browser, latestCode } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { openTestBackend, type TestBackend } from "../test-backend";

describe("[F13] where a code went", () => {
  let way: TestBackend;
  beforeEach(async () => {
    way = await openTestBackend({ smsPrefixes: ["+48", "+44"] });
  });
  afterEach(() => way.close());

  it("is told to a customer who gave the right password, even if the code was sent a moment before", async () => {
    const browser = new Browser(way);
    await browser.login(ANNA);
    expect((await browser.askForCode()).body).toEqual({ sentTo: "••• ••• 001" });
    expect((await browser.askForCode()).body).toEqual({ sentTo: "••• ••• 001" });
    await browser.confirm(await latestCode(way, ANNA.phone));
    expect((await browser.askForCode()).body).toEqual({});
  });

  it.each([
    ["a number abroad has the same mask", "+447911123456", { sentTo: "••• ••• 456" }],
    ["[S29] a number that gets no messages gets none, and is not named", "+48800100200", {}],
  ])("%s", async (_what, phone, said) => {
    const keys = readOrMakeKeyFile(join(way.dataDir, "keys.json"), true);
    const [policy] = await way.query(
      "select customer_id as id from policies where policy_no = ?",
      ANNA.policyNo,
    );
    const row = String(policy?.["id"]);
    const sealed = seal(keys, { table: "customers", column: "phone_sealed", row }, phone);
    await way.change("update customers set phone_sealed = ? where id = ?", sealed, row);
    const browser = new Browser(way);
    await browser.login(ANNA);
    expect((await browser.askForCode()).body).toEqual(said);
    expect(await way.outbox()).toHaveLength("sentTo" in said ? 1 : 0);
  });
});
