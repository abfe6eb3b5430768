import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import {
  Browser,
  latestCode,
  messagesTo,
  type Answer,
  errorCodeOf,
  fieldsOf,
} from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import {
  addApp,
  type AddedApp,
  appCode,
  bodyOf,
  confirmBy,
  proofBySms,
  withPassword,
} from "../../../factor-steps";
import { fifty, openTestBackend, type TestBackend } from "../test-backend";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const STEP = 30 * SECOND;

onAnyDatabase((kind) => {
  describe("a sign-in with an authenticator app", () => {
    let way: TestBackend;
    let owner: Browser;
    let app: AddedApp;

    beforeEach(async () => {
      way = await openTestBackend({ kind, limits: defaultLimits("production") });
      owner = new Browser(way);
      await owner.signIn(ANNA);
      app = await addApp(way, owner, ANNA, way.now());
      way.advance(10 * MINUTE);
    });
    afterEach(() => way.close());

    it("says nothing of factors before the password is right", async () => {
      const { PIOTR } = await import("../../../demo-customers");
      const wrong = { password: "Nie-To-Haslo-1" };
      const [withApp, without] = [
        await new Browser(way).login({ ...ANNA, ...wrong }),
        await new Browser(way).login({ ...PIOTR, ...wrong }),
      ];
      expect(withApp.body).toEqual(without.body);
    });

    it("[S130] takes a step once, also if fifty send its code at once, in any browser and for any purpose", async () => {
      const browsers: Browser[] = [];
      while (browsers.length < 10) browsers.push(await withPassword(way, ANNA));
      const code = appCode(app, way.now());
      const answers = await fifty((nth) => confirmBy((browsers[nth % 10] ?? owner).twin(), "app", code));
      const signedIn = new Set(
        answers.flatMap(({ status, setCookies }) =>
          status === 200 ? setCookies.filter((line) => line.startsWith("session=")) : [],
        ),
      );
      // One browser, however often its tabs repeat the confirm.
      expect(signedIn.size).toBe(1);
      const change = { authorizationCode: code, method: "app", on: true };
      expect(errorCodeOf(await owner.put("/cp/api/factors/sms", change))).toBe("007");
    });

    it("[S130] takes the code of the step before and of the next, and no older one again", async () => {
      const browser = await withPassword(way, ANNA);
      expect((await confirmBy(browser, "app", appCode(app, way.now(), 1))).status).toBe(200);
      const other = await withPassword(way, ANNA);
      expect(errorCodeOf(await confirmBy(other, "app", appCode(app, way.now())))).toBe("007");
      expect(errorCodeOf(await confirmBy(other, "app", appCode(app, way.now(), -1)))).toBe("007");
    });

    it("[S131] counts them where no code was sent: as a code by SMS such a row is 010, and that costs no try", async () => {
      const browser = await withPassword(way, ANNA);
      expect(errorCodeOf(await confirmBy(browser, "app", appCode(app, way.now(), 5)))).toBe("007");
      for (let nth = 0; nth < 6; nth += 1)
        expect(errorCodeOf(await confirmBy(browser, "sms", "123456"))).toBe("010");
      const rows = await way.query("select code_mac, tries from codes where purpose = 'login' and tries > 0");
      expect(rows).toEqual([{ code_mac: "", tries: 1 }]);
      expect((await confirmBy(browser, "app", appCode(app, way.now()))).status).toBe(200);
    });

    it("[S131] of fifty wrong codes at once compares five at most", async () => {
      const browser = await withPassword(way, ANNA);
      const answers = await fifty(() => confirmBy(browser.twin(), "app", appCode(app, way.now(), 5)));
      const codes = answers.map(errorCodeOf);
      expect(codes.filter((code) => code === "007")).toHaveLength(4);
      expect(codes.filter((code) => code === "016")).toHaveLength(46);
    });

    it("repeats the answer to a doubled confirm, the new recovery code included", async () => {
      const browser = await withPassword(way, ANNA);
      const first = await confirmBy(browser.twin(), "recovery", app.recoveryCode ?? "", "Y");
      const again = await confirmBy(browser.twin(), "recovery", app.recoveryCode ?? "", "Y");
      expect(again.status).toBe(200);
      expect(again.body).toEqual(first.body);
      const session = ({ setCookies }: Answer) => setCookies.find((line) => line.startsWith("session="));
      expect(session(again)).toBe(session(first));
    });

    it("[S132] a recovery code ends all trusted devices, and its successor is another", async () => {
      const trusted = await withPassword(way, ANNA);
      await confirmBy(trusted, "app", appCode(app, way.now()), "Y");
      const browser = await withPassword(way, ANNA);
      const { recoveryCode } = bodyOf(await confirmBy(browser, "recovery", app.recoveryCode ?? ""));
      expect(recoveryCode).not.toBe(app.recoveryCode);
      await trusted.delete("/home/api/session");
      await trusted.login(ANNA);
      expect((await trusted.post("/home/api/user/init")).status).toBe(409);
    });

    it("[S132] lets a session that a recovery code opened change factors without a proof, for 15 minutes", async () => {
      const browser = await withPassword(way, ANNA);
      await confirmBy(browser, "recovery", app.recoveryCode ?? "");
      expect(bodyOf(await browser.put("/cp/api/factors/app/prepare"))).toHaveProperty("secret");
      expect(fieldsOf(await owner.put("/cp/api/factors/app/prepare"))).toEqual(["authorizationCode"]);
      for (let minutes = 0; minutes < 15; minutes += 5) {
        way.advance(5 * MINUTE);
        await browser.post("/home/api/user/init");
      }
      expect(fieldsOf(await browser.put("/cp/api/factors/app/prepare"))).toEqual(["authorizationCode"]);
    });

    it("[S133] without SMS a block lasts 15 minutes", async () => {
      bodyOf(await owner.put("/cp/api/factors/sms", { ...(await proofBySms(way, owner, ANNA)), on: false }));
      const browser = await withPassword(way, ANNA);
      for (let nth = 0; nth < 5; nth += 1) await confirmBy(browser, "app", appCode(app, way.now(), 5));
      way.advance(15 * MINUTE - 1);
      await browser.login(ANNA);
      const blocked = await browser.askForCode();
      expect([blocked.status, errorCodeOf(blocked)]).toEqual([429, "rate-limited"]);
      expect(errorCodeOf(await confirmBy(browser, "app", appCode(app, way.now())))).toBe("016");
      way.advance(1);
      expect((await confirmBy(browser, "app", appCode(app, way.now()))).status).toBe(200);
    });

    it("heeds at once, while a session is pending, that a factor was removed", async () => {
      const browser = await withPassword(way, ANNA);
      expect(bodyOf(await browser.askForCode())).toHaveProperty("method", "app");
      const proof = await proofBySms(way, owner, ANNA);
      bodyOf(await owner.put("/cp/api/factors/remove", { ...proof, id: app.id }));
      expect(fieldsOf(await confirmBy(browser, "app", appCode(app, way.now())))).toEqual(["method"]);
      way.advance(STEP);
      expect(bodyOf(await browser.askForCode())).toEqual({ sentTo: "••• ••• 001" });
    });

    it("begins with the SMS if that was used last", async () => {
      const browser = await withPassword(way, ANNA);
      await browser.askForCode({ method: "sms" });
      bodyOf(await confirmBy(browser, "sms", await latestCode(way, ANNA.phone)));
      way.advance(MINUTE);
      const next = await withPassword(way, ANNA);
      const sent = await messagesTo(way, ANNA.phone);
      expect(bodyOf(await next.askForCode())).toMatchObject({
        methods: ["sms", "app", "recovery"],
        method: "sms",
      });
      expect(await messagesTo(way, ANNA.phone)).toBe(sent + 1);
    });
  });
});
