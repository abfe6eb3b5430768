import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, messagesTo, type Answer, errorCodeOf, fieldsOf } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { addApp, appCode, bodyOf, confirmBy, proofBySms, withPassword } from "../../../factor-steps";
import { fifty, openTestBackend, type TestBackend, type TestOptions } from "../test-backend";

const MINUTE = 60_000;
const FACTORS = "/cp/api/factors";

interface Prepared {
  readonly id: string;
  readonly secret: string;
  readonly uri: string;
}

onAnyDatabase((kind) => {
  describe("the factors of a customer", () => {
    let way: TestBackend;
    let owner: Browser;

    async function open(options: TestOptions = {}): Promise<void> {
      way = await openTestBackend({ kind, limits: defaultLimits("production"), ...options });
      owner = new Browser(way);
      await owner.signIn(ANNA);
      way.advance(MINUTE);
    }

    beforeEach(() => open());
    afterEach(() => way.close());

    async function prepare(browser = owner): Promise<Prepared> {
      const proof = await proofBySms(way, browser, ANNA);
      return bodyOf(await browser.put(`${FACTORS}/app/prepare`, proof));
    }

    const confirm = ({ id }: Prepared, code: string, more: object = {}) =>
      owner.put(`${FACTORS}/app/confirm`, { id, code, ...more });

    it("[S129] change only with a proof: a code that was sent for this, or one of an app", async () => {
      expect(fieldsOf(await owner.put(`${FACTORS}/app/prepare`))).toEqual(["authorizationCode"]);
      expect(errorCodeOf(await owner.put(`${FACTORS}/app/prepare`, { authorizationCode: "123456" }))).toBe(
        "010",
      );
      expect(
        fieldsOf(await owner.put(`${FACTORS}/app/prepare`, { authorizationCode: "123456", method: "app" })),
      ).toEqual(["method"]);
      const { authorizationCode } = await proofBySms(way, owner, ANNA);
      const wrong = String((Number(authorizationCode) + 1) % 1_000_000).padStart(6, "0");
      expect(errorCodeOf(await owner.put(`${FACTORS}/app/prepare`, { authorizationCode: wrong }))).toBe(
        "007",
      );
      bodyOf(await owner.put(`${FACTORS}/app/prepare`, { authorizationCode }));
      expect(errorCodeOf(await owner.put(`${FACTORS}/recovery-code`, { authorizationCode }))).toBe("010");
    });

    it("prepare an app whose address names brand and username", async () => {
      const { secret, uri } = await prepare();
      expect(secret).toMatch(/^[A-Z2-7]{32}$/);
      expect(uri).toBe(
        `otpauth://totp/Tarnea%20Ubezpieczenia:anna.nowak?secret=${secret}&issuer=Tarnea%20Ubezpieczenia&algorithm=SHA1&digits=6&period=30`,
      );
    });

    it("prepare the same app for a doubled submit", async () => {
      const proof = await proofBySms(way, owner, ANNA);
      const both = await Promise.all([1, 2].map(() => owner.twin().put(`${FACTORS}/app/prepare`, proof)));
      const [first, second] = both.map((answer) => bodyOf(answer));
      expect(second).toEqual(first);
    });

    it("[S129] forget a prepared app that another one replaces, after ten minutes, and in another session", async () => {
      const first = await prepare();
      way.advance(MINUTE);
      const second = await prepare();
      expect(errorCodeOf(await confirm(first, appCode(first, way.now())))).toBe("010");
      const elsewhere = new Browser(way);
      await elsewhere.signIn(ANNA);
      expect(
        errorCodeOf(
          await elsewhere.put(`${FACTORS}/app/confirm`, { id: second.id, code: appCode(second, way.now()) }),
        ),
      ).toBe("010");
      way.advance(10 * MINUTE);
      await owner.post("/home/api/user/init");
      expect(errorCodeOf(await confirm(second, appCode(second, way.now())))).toBe("010");
      expect(bodyOf(await owner.get(FACTORS))).toHaveProperty("factors", []);
    });

    it("[S129] end a prepared app after five wrong codes, also of fifty at once", async () => {
      const app = await prepare();
      const answers = await fifty(() =>
        owner.twin().put(`${FACTORS}/app/confirm`, { id: app.id, code: appCode(app, way.now(), 9) }),
      );
      expect(answers.filter((answer) => errorCodeOf(answer) === "007")).toHaveLength(5);
      expect(errorCodeOf(await confirm(app, appCode(app, way.now())))).toBe("010");
    });

    it("add an app once, however often its confirm is repeated, with the same recovery code", async () => {
      const app = await prepare();
      const answers = await fifty(() =>
        owner.twin().put(`${FACTORS}/app/confirm`, { id: app.id, code: appCode(app, way.now()) }),
      );
      expect(new Set(answers.map(({ body }) => JSON.stringify(body)))).toHaveProperty("size", 1);
      expect(answers[0]?.body).toHaveProperty("recoveryCode");
      expect(bodyOf(await owner.get(FACTORS)).factors).toHaveLength(1);
    });

    it("give a recovery code with the first app only", async () => {
      expect((await addApp(way, owner, ANNA, way.now())).recoveryCode).toMatch(
        /^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/,
      );
      way.advance(MINUTE);
      expect((await addApp(way, owner, ANNA, way.now())).recoveryCode).toBeUndefined();
    });

    it("are five apps at most; one more is refused, and its proof stays good", async () => {
      const app = await addApp(way, owner, ANNA, way.now());
      for (let nth = 0; nth < 4; nth += 1) {
        way.advance(MINUTE);
        const proof = { method: "app", authorizationCode: appCode(app, way.now()) };
        const next = bodyOf(await owner.put(`${FACTORS}/app/prepare`, proof));
        bodyOf(await confirm(next, appCode(next, way.now())));
      }
      way.advance(MINUTE);
      const proof = { method: "app", authorizationCode: appCode(app, way.now()) };
      expect(fieldsOf(await owner.put(`${FACTORS}/app/prepare`, proof))).toEqual(["kind"]);
      bodyOf(await owner.put(`${FACTORS}/remove`, { ...proof, id: app.id }));
    });

    it("have a name that is trimmed, and neither empty, too long nor with control characters", async () => {
      const app = await prepare();
      for (const name of ["", "   ", "x".repeat(51), "a\nb"])
        expect(fieldsOf(await confirm(app, appCode(app, way.now()), { name }))).toEqual(["name"]);
      const name = "ą".repeat(50);
      bodyOf(await confirm(app, appCode(app, way.now()), { name: `  ${name}\u00A0` }));
      const added = new Date(way.now()).toISOString();
      expect(bodyOf(await owner.get(FACTORS))).toMatchObject({
        factors: [{ name, addedAt: added, lastUsedAt: null }],
        recoveryCode: { setAt: added, kept: false },
      });
    });

    it("go with the last app: the recovery code, and the SMS that was off", async () => {
      const app = await addApp(way, owner, ANNA, way.now());
      bodyOf(
        await owner.put(`${FACTORS}/sms`, {
          method: "app",
          authorizationCode: appCode(app, way.now()),
          on: false,
        }),
      );
      way.advance(MINUTE);
      const remove = { method: "app", authorizationCode: appCode(app, way.now()), id: app.id };
      expect(fieldsOf(await owner.put(`${FACTORS}/remove`, { ...remove, id: "another" }))).toEqual(["id"]);
      bodyOf(await owner.put(`${FACTORS}/remove`, remove));
      expect(bodyOf(await owner.get(FACTORS))).toEqual({
        offered: ["app"],
        factors: [],
        recoveryCode: null,
        sms: true,
      });
      const browser = await withPassword(way, ANNA);
      expect(bodyOf(await browser.askForCode())).toEqual({ sentTo: "••• ••• 001" });
    });

    it("[S132] replace a recovery code: the old one is dead", async () => {
      const app = await addApp(way, owner, ANNA, way.now());
      const proof = { method: "app", authorizationCode: appCode(app, way.now()) };
      const answers = await Promise.all(
        [1, 2].map(() => owner.twin().put(`${FACTORS}/recovery-code`, proof)),
      );
      const codes = answers.map((answer) => bodyOf(answer).recoveryCode);
      expect(codes[0]).toBe(codes[1]);
      const browser = await withPassword(way, ANNA);
      expect(errorCodeOf(await confirmBy(browser, "recovery", app.recoveryCode ?? ""))).toBe("007");
      expect((await confirmBy(browser, "recovery", codes[0] ?? "")).status).toBe(200);
    });

    it("end the other trusted devices when one is added or the SMS goes, and all when one is removed", async () => {
      const trusted = async () => bodyOf(await owner.get("/cp/api/profile")).trustedDevices.length;
      const trust = async (by?: (browser: Browser) => Promise<Answer>) => {
        const browser = by ? await withPassword(way, ANNA) : new Browser(way);
        if (by) bodyOf(await by(browser));
        else await browser.signIn(ANNA, "Y");
      };
      await owner.delete("/home/api/session");
      way.advance(MINUTE);
      await owner.signIn(ANNA, "Y");
      way.advance(MINUTE);
      await trust();
      expect(await trusted()).toBe(2);
      way.advance(MINUTE);
      const app = await addApp(way, owner, ANNA, way.now());
      expect(await trusted()).toBe(1);
      await trust((browser) => confirmBy(browser, "app", appCode(app, way.now()), "Y"));
      way.advance(MINUTE);
      bodyOf(
        await owner.put(`${FACTORS}/sms`, {
          method: "app",
          authorizationCode: appCode(app, way.now()),
          on: false,
        }),
      );
      expect(await trusted()).toBe(1);
      way.advance(MINUTE);
      bodyOf(
        await owner.put(`${FACTORS}/remove`, {
          method: "app",
          authorizationCode: appCode(app, way.now()),
          id: app.id,
        }),
      );
      expect(await trusted()).toBe(0);
    });

    it("can't be added where none are offered", async () => {
      await way.close();
      await open({
        factors: {
          offered: [],
          passkeysSignIn: true,
          issuer: "Tarnea",
          nameOf: { app: "Aplikacja", passkey: "Klucz" },
        },
      });
      expect(bodyOf(await owner.get(FACTORS))).toHaveProperty("offered", []);
      expect((await owner.put(`${FACTORS}/app/prepare`, await proofBySms(way, owner, ANNA))).status).toBe(
        404,
      );
      const stranger = new Browser(way);
      expect((await stranger.put(`${FACTORS}/passkey/prepare`)).status).toBe(404);
    });

    it("are seen in the activity, and send nothing but notices", async () => {
      const sent = await messagesTo(way, ANNA.phone);
      const app = await addApp(way, owner, ANNA, way.now());
      expect(await messagesTo(way, ANNA.phone)).toBe(sent + 1);
      const byApp = () => ({ method: "app", authorizationCode: appCode(app, way.now()) });
      for (const on of [false, true]) {
        bodyOf(await owner.put(`${FACTORS}/sms`, { ...byApp(), on }));
        way.advance(MINUTE);
      }
      bodyOf(await owner.put(`${FACTORS}/remove`, { ...byApp(), id: app.id }));
      const { events } = bodyOf(await owner.get("/cp/api/activity"));
      expect(events.slice(0, 4)).toMatchObject([
        { event: "factor-removed" },
        { event: "sms-at-sign-in", detail: "on" },
        { event: "sms-at-sign-in", detail: "off" },
        { event: "factor-added", detail: "app" },
      ]);
    });
  });
});
