import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { seal } from "~/backend/secrets/keyring.server";
import { CALLS } from "~/contract/calls.server";
import { Browser } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { proofBySms } from "../../../factor-steps";
import { codesTo, NOTICES, noticesTo } from "../notices/notice-steps";
import { openTestBackend, type TestBackend } from "../test-backend";

const HOUR = 60 * 60_000;
const NEW = "+48600100555";
const STOP = "/cp/api/new-phone/stop";

describe("a new phone number that waits for its time", () => {
  let way: TestBackend;
  let browser: Browser;
  let from: number;
  beforeEach(async () => {
    way = await openTestBackend({ noticeTexts: NOTICES });
    browser = new Browser(way);
    await browser.signIn(ANNA);
    const keys = readOrMakeKeyFile(join(way.dataDir, "keys.json"), true);
    const [policy] = await way.query(
      "select customer_id as id from policies where policy_no = ?",
      ANNA.policyNo,
    );
    const row = String(policy?.["id"]);
    const [last] = await way.query("select max(happened_at) as at from audit_events");
    from = Number(last?.["at"]) + 24 * HOUR;
    await way.change(
      "update customers set new_phone_sealed = ?, new_phone_from = ? where id = ?",
      seal(keys, { table: "customers", column: "new_phone_sealed", row }, NEW),
      from,
      row,
    );
  });
  afterEach(() => way.close());

  const profile = async (by = browser) =>
    CALLS.profile.response.parse((await by.get("/cp/api/profile")).body);
  const stopped = () => way.query("select id from audit_events where event = 'new-phone-stopped'");

  it("[S6] is told to its customer, masked, with the moment", async () => {
    expect((await profile()).newPhone).toEqual({ phone: "••• ••• 555", from: new Date(from).toISOString() });
  });

  it("can be stopped by its customer, once: the audit says so, and both numbers are told", async () => {
    const proof = await proofBySms(way, browser, ANNA);
    // A doubled submit.
    for (const status of [200, 200]) expect((await browser.put(STOP, proof)).status).toBe(status);
    expect(await profile()).toMatchObject({ phone: "••• ••• 001" });
    expect(await profile()).not.toHaveProperty("newPhone");
    expect(await stopped()).toHaveLength(1);
    for (const phone of [ANNA.phone, NEW])
      expect(await noticesTo(way, phone)).toEqual([NOTICES["new-phone-stopped"]({ at: from - 24 * HOUR })]);
    way.advance(25 * HOUR);
    const later = new Browser(way);
    await later.login(ANNA);
    expect((await later.askForCode()).body).toEqual({ sentTo: "••• ••• 001" });
  });

  it("is the customer's number once it is in use, and can't be stopped any more", async () => {
    way.advance(25 * HOUR);
    const later = new Browser(way);
    await later.login(ANNA);
    expect((await later.askForCode()).body).toEqual({ sentTo: "••• ••• 555" });
    expect((await later.put(STOP, {})).status).toBe(409);
    expect(await stopped()).toHaveLength(0);
  });

  it("[S136] is not stopped by somebody who holds the session alone: a code goes to the number in use", async () => {
    expect((await browser.put(STOP, {})).status).toBe(422);
    await proofBySms(way, browser, ANNA);
    expect((await browser.put(STOP, { authorizationCode: "000000" })).status).toBe(400);
    expect(await codesTo(way, NEW)).toEqual([]);
    expect((await codesTo(way)).length).toBeGreaterThan(0);
    expect(await stopped()).toHaveLength(0);
  });
});
