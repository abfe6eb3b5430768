import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, latestCode, needsNoCode, outcomeOf, fieldsOf } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { addApp, type AddedApp, appCode, bodyOf, confirmBy, withPassword } from "../../../factor-steps";
import { addPasskey } from "../../../passkey-device";
import {
  begin,
  confirmByPasskey,
  confirmWith,
  optionsIn,
  provenChanges,
  type ProvenChange,
} from "../../../proven-changes";
import { fifty, openTestBackend, type TestBackend } from "../test-backend";

const MINUTE = 60_000;
const FACTORS = "/cp/api/factors";
const NO_RECOVERY_CODE = "AAAA".repeat(6);
const RECOVERY_CODE = /^([A-Z2-7]{4}-){5}[A-Z2-7]{4}$/;
/** Steps from now, to one whose code is neither used nor valid. */
const FAR = 9;

const CHANGES = Object.entries(provenChanges(ANNA.username));

/** The same change once it has been made: a new username is part of the address. */
function afterwards(change: ProvenChange): ProvenChange {
  const { newUsername } = change.fields;
  return newUsername === undefined
    ? change
    : { ...change, path: change.path.replace(ANNA.username, newUsername) };
}

onAnyDatabase((kind) => {
  describe("a change in a session of an account with factors", () => {
    let way: TestBackend;
    let owner: Browser;
    let app: AddedApp;

    beforeEach(async () => {
      way = await openTestBackend({ kind, limits: defaultLimits("production") });
      owner = new Browser(way);
      await owner.signIn(ANNA);
      app = await addApp(way, owner, ANNA, way.now());
      way.advance(MINUTE);
    });
    afterEach(() => way.close());

    const byApp = (steps = 0) => ({ method: "app", authorizationCode: appCode(app, way.now(), steps) });

    async function switchSmsOff(): Promise<void> {
      bodyOf(await owner.put(`${FACTORS}/sms`, { ...byApp(), on: false }));
      way.advance(MINUTE);
    }

    /** Confirms by the app, with a code that another call may have used. */
    const confirmByApp = (change: ProvenChange, browser = owner, steps = 0) =>
      confirmWith(browser, change, appCode(app, way.now(), steps), { method: "app" });

    it.for(CHANGES)(
      "[S161] of the %s: five wrong codes of any way are 016, the right one too",
      async ([, change]) => {
        await switchSmsOff();
        const tries = [
          await confirmByApp(change, owner, FAR),
          await confirmWith(owner, change, NO_RECOVERY_CODE, { method: "recovery" }),
          await confirmByApp(change, owner, FAR),
          await confirmWith(owner, change, NO_RECOVERY_CODE, { method: "recovery" }),
          await confirmByApp(change, owner, FAR),
          await confirmByApp(change),
          await confirmWith(owner, change, app.recoveryCode ?? "", { method: "recovery" }),
        ];
        expect(tries.map(outcomeOf)).toEqual(["007", "007", "007", "007", "016", "016", "016"]);
        expect((await begin(owner, change)).status).toBe(429);
        // A session ends when it is idle for as long.
        way.advance(8 * MINUTE);
        await owner.post("/home/api/user/init");
        way.advance(8 * MINUTE);
        expect((await confirmByApp(change)).status).toBe(200);
      },
    );

    it.for(CHANGES)(
      "[S161] of the %s: the recovery code works once, gives a new one, ends devices",
      async ([, change]) => {
        await switchSmsOff();
        const device = await withPassword(way, ANNA);
        bodyOf(await confirmBy(device, "app", appCode(app, way.now()), "Y"));
        const typed = (app.recoveryCode ?? "").toLowerCase().replaceAll("-", " ");
        const by = (now = change) => confirmWith(owner, now, typed, { method: "recovery" });
        const { recoveryCode } = bodyOf(await by());
        expect(recoveryCode).toMatch(RECOVERY_CODE);
        expect(bodyOf(await by())).toEqual({ recoveryCode });
        way.advance(MINUTE);
        expect(outcomeOf(await by(afterwards(change)))).toBe("007");
        expect(bodyOf(await owner.get("/cp/api/profile")).trustedDevices).toEqual([]);
        const { events } = bodyOf(await owner.get("/cp/api/activity"));
        expect(events.map(({ event }) => event)).toContain("recovery-code-used");
      },
    );

    it.for(CHANGES)(
      "[S161] of the %s: a passkey confirms it, by a challenge for this alone",
      async ([name, change]) => {
        const { device, local } = await addPasskey(way, owner, ANNA, "Klucz");
        bodyOf(await local.put(`${FACTORS}/sms`, { ...byApp(), on: false }));
        const options = optionsIn(await begin(local, change, { method: "passkey" }));
        const others = CHANGES.filter(
          ([other, { path }]) => other !== name && !path.startsWith("/cp/api/doc-pwd"),
        );
        for (const [, other] of others)
          expect(outcomeOf(await confirmByPasskey(local, other, device.answer(options)))).toBe("007");
        const factors = optionsIn(await local.put(`${FACTORS}/init`, { method: "passkey" }));
        expect(outcomeOf(await confirmByPasskey(local, change, device.answer(factors)))).toBe("007");
        const again = optionsIn(await begin(local, change, { method: "passkey" }));
        const right = device.answer(again);
        expect((await confirmByPasskey(local, change, right)).status).toBe(200);
        const later = afterwards(change);
        expect(outcomeOf(await confirmByPasskey(local, later, right, change.otherwise))).toBe("010");
        expect(fieldsOf(await confirmByPasskey(local, later, undefined))).toEqual(["response"]);
      },
    );

    it.for(CHANGES)(
      "[S161] of the %s: a code of the app works once, whatever it was for",
      async ([, change]) => {
        await switchSmsOff();
        const used = appCode(app, way.now());
        const elsewhere = await withPassword(way, ANNA);
        bodyOf(await confirmBy(elsewhere, "app", used));
        expect(outcomeOf(await confirmWith(owner, change, used, { method: "app" }))).toBe("007");
        expect((await confirmByApp(change, owner, 1)).status).toBe(200);
        expect(outcomeOf(await owner.put(`${FACTORS}/sms`, { ...byApp(1), on: true }))).toBe("007");
      },
    );

    it.for(CHANGES)(
      "of the %s: repeated at once it is answered like the first, with one effect",
      async ([, change]) => {
        await switchSmsOff();
        const answers = await fifty(() => confirmByApp(change, owner.twin()));
        expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body])))).toEqual(
          new Set([JSON.stringify([200, {}])]),
        );
        expect(
          outcomeOf(
            await confirmWith(owner, change, appCode(app, way.now()), { method: "app", ...change.otherwise }),
          ),
        ).not.toBe(200);
      },
    );

    it.for(CHANGES)(
      "of the %s: with SMS on a code confirms it as well, if it is asked for",
      async ([, change]) => {
        const begun = bodyOf(await begin(owner, change, { method: "sms" }));
        expect(begun).toEqual({
          methods: ["app", "recovery", "sms"],
          method: "sms",
          sentTo: "••• ••• 001",
        });
        expect((await confirmWith(owner, change, await latestCode(way, ANNA.phone))).status).toBe(200);
      },
    );

    it.for(CHANGES)(
      "of the %s: without factors nothing is new, and only a code by SMS confirms",
      async ([, change]) => {
        bodyOf(await owner.put(`${FACTORS}/remove`, { ...byApp(), id: app.id }));
        way.advance(MINUTE);
        expect(fieldsOf(await begin(owner, change, { method: "app" }))).toEqual(["method"]);
        expect(bodyOf(await begin(owner, change))).toEqual({ sentTo: "••• ••• 001" });
        expect(fieldsOf(await confirmByApp(change))).toEqual(["method"]);
        const done = await confirmWith(owner, change, await latestCode(way, ANNA.phone));
        expect([done.status, done.body]).toEqual([200, {}]);
      },
    );

    it("[S161] of the password: refused for another reason, the code of the app stays good", async () => {
      await switchSmsOff();
      const [, change] = CHANGES[0] ?? [];
      if (!change) throw new Error("no changes");
      const same = { newPassword: ANNA.password };
      expect(
        outcomeOf(await confirmWith(owner, change, appCode(app, way.now()), { method: "app", ...same })),
      ).toBe("013");
      expect((await confirmByApp(change)).status).toBe(200);
      expect((await owner.post("/home/api/user/init")).status).toBe(200);
    });

    it("[S161] of the document password: a code used in two browsers at once, while it hashes, works once", async () => {
      await switchSmsOff();
      const other = await withPassword(way, ANNA);
      bodyOf(await confirmBy(other, "app", appCode(app, way.now())));
      way.advance(MINUTE);
      const documents = CHANGES[1]?.[1];
      if (!documents) throw new Error("no changes");
      const both = await Promise.all([confirmByApp(documents), confirmByApp(documents, other)]);
      expect(new Set(both.map(outcomeOf))).toEqual(new Set([200, "007"]));
    });

    it("[S161] signed out, a reset takes a code by SMS and nothing else, for every username alike", async () => {
      await switchSmsOff();
      for (const name of [ANNA.username, "nikt.taki"]) {
        const stranger = new Browser(way);
        const path = `/home/api/user/${name}/password-reset`;
        const fields = {
          newPassword: "Inne-Haslo-2026",
          authorizationCode: appCode(app, way.now()),
          method: "app",
        };
        expect(fieldsOf(await stranger.post(`${path}/init`, { method: "app" }))).toEqual(["method"]);
        expect(fieldsOf(await stranger.post(`${path}/confirm`, fields))).toEqual(["method"]);
        expect((await stranger.post(`${path}/init`)).body).toEqual({});
      }
      const stranger = new Browser(way);
      await stranger.post(`/home/api/user/${ANNA.username}/password-reset/init`);
      const authorizationCode = await latestCode(way, ANNA.phone);
      const reset = { newPassword: "Inne-Haslo-2026", authorizationCode };
      expect(
        (await stranger.post(`/home/api/user/${ANNA.username}/password-reset/confirm`, reset)).status,
      ).toBe(200);
    });

    it("[S156] adding a factor and switching SMS off end the other sessions, those that wait for a code too", async () => {
      const isIn = async (browser: Browser) => (await browser.get("/home/api/user/info")).status;
      const [active, pending] = [await withPassword(way, ANNA), await withPassword(way, ANNA)];
      bodyOf(await confirmBy(active, "app", appCode(app, way.now())));
      way.advance(MINUTE);
      bodyOf(await owner.put(`${FACTORS}/sms`, { ...byApp(), on: false }));
      expect([await isIn(owner), await isIn(active), await isIn(pending)]).toEqual([200, 401, 401]);

      way.advance(MINUTE);
      const again = await withPassword(way, ANNA);
      bodyOf(await confirmBy(again, "app", appCode(app, way.now())));
      way.advance(MINUTE);
      bodyOf(await owner.put(`${FACTORS}/sms`, { ...byApp(), on: true }));
      expect(await isIn(again)).toBe(200);
      await addApp(way, owner, ANNA, way.now());
      expect([await isIn(owner), await isIn(again)]).toEqual([200, 401]);
      way.advance(MINUTE);
      const third = await withPassword(way, ANNA);
      bodyOf(await confirmBy(third, "app", appCode(app, way.now())));
      await addPasskey(way, owner, ANNA, "Klucz");
      expect([await isIn(owner), await isIn(third)]).toEqual([200, 401]);
      expect(await needsNoCode(third, ANNA)).toBe(false);
    });
  });
});
