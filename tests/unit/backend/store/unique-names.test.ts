import { describe, expect, it } from "vitest";
import { Browser, latestCode, errorCodeOf } from "../../../contract/browser";
import { ANNA, JAN, PIOTR, freshCustomer } from "../../../demo-customers";
import { onEachDatabase } from "../../../database";
import { fifty, openTestBackend } from "../test-backend";

const DAY = 24 * 60 * 60 * 1000;
const NEW_PASSWORD = "Zupełnie-Nowe-1";

onEachDatabase((kind) => {
  describe("a username", () => {
    it("[F49] 015: can be changed again thirty days after the first of three changes, and says when", async () => {
      const way = await openTestBackend({ kind });
      const browser = new Browser(way);
      const init = async () => {
        await browser.signIn(JAN);
        return (await browser.post(`/home/api/user/${JAN.username}/login-change/init`)).body;
      };
      way.advance(27 * DAY - 1);
      expect(await init()).toEqual({ errorCode: "015", retryAfterSeconds: 1 });
      way.advance(1);
      expect(await init()).not.toHaveProperty("errorCode");
      await way.close();
    });

    it("012: of fifty simultaneous changes to one name, exactly one wins", async () => {
      const way = await openTestBackend({ kind });
      const people = await Promise.all(
        [ANNA, PIOTR].map(async (customer) => {
          const browser = new Browser(way);
          await browser.signIn(customer);
          await browser.post(`/home/api/user/${customer.username}/login-change/init`);
          return { browser, customer, authorizationCode: await latestCode(way, customer.phone) };
        }),
      );
      const answers = await fifty(async (nth) => {
        const person = people[nth % 2];
        if (!person) throw new Error("nobody");
        const payload = { newUsername: "jedna.nazwa", authorizationCode: person.authorizationCode };
        return person.browser
          .twin()
          .post(`/home/api/user/${person.customer.username}/login-change/confirm`, payload);
      });
      expect(new Set(answers.map(errorCodeOf))).toEqual(new Set([undefined, "012", "016"]));
      expect(await way.query("select count(*) as n from accounts where username = 'jedna.nazwa'")).toEqual([
        { n: 1 },
      ]);
      await way.close();
    });
  });

  describe("registrations for one policy from two browsers", () => {
    it("make one account; the other is refused with 014", async () => {
      const way = await openTestBackend({ kind });
      const { policyNo, pid, phone } = freshCustomer(1);
      const visitors = [new Browser(way), new Browser(way)];
      const codes: string[] = [];
      for (const visitor of visitors) {
        await visitor.post("/home/api/user/register/init", { policyNo, pid });
        codes.push(await latestCode(way, phone));
      }
      const answers = await Promise.all(
        visitors.map((visitor, nth) =>
          visitor.post("/home/api/user/register/confirm", {
            authorizationCode: codes[nth],
            password: NEW_PASSWORD,
            pid,
            policyNo,
          }),
        ),
      );
      expect(answers.map(errorCodeOf).sort()).toEqual(["014", undefined]);
      expect(await way.query("select * from audit_events where event = 'account-registered'")).toHaveLength(
        1,
      );
      await way.close();
    });
  });
});
