import { describe, expect, it } from "vitest";
import { PURPOSES, type Purpose } from "~/contract/purposes";
import { Browser, latestCode, messagesTo, type Answer } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { appCode, addApp, bodyOf, confirmBy, proofBySms } from "../../../factor-steps";
import { addPasskey, type PasskeyDevice } from "../../../passkey-device";
import {
  begin,
  confirmByPasskey,
  confirmWith,
  optionsIn,
  provenChanges,
  type ProvenChange,
} from "../../../proven-changes";
import { NOON, openTestBackend, type TestBackend } from "../test-backend";

const MINUTE = 60_000;
const FACTORS = "/cp/api/factors";
const REMIND = "/home/api/user/login-remind";
const ACTIVATE = "/home/api/user/activate-session";
const CHANGES = provenChanges(ANNA.username);

/** How a purpose is begun in a session, and confirmed after a sign-out. */
interface Way {
  /** Asks for a code by SMS, or for a passkey. Undefined: an account has none of this purpose. */
  readonly begin: ((browser: Browser, method: "sms" | "passkey") => Promise<Answer>) | undefined;
  readonly bySms: (browser: Browser, code: string) => Promise<Answer>;
  /** Undefined where no passkey confirms. */
  readonly byPasskey?: (browser: Browser, response: unknown) => Promise<Answer>;
  /** Begun before the second factor was given. Its code stays: it is worth nothing without the password. */
  readonly whilePending?: true;
}

function ofChange(change: ProvenChange | undefined): Way {
  if (!change) throw new Error("no such change");
  return {
    begin: (browser, method) => begin(browser, change, { method }),
    bySms: (browser, code) => confirmWith(browser, change, code, { method: "sms" }),
    byPasskey: (browser, response) => confirmByPasskey(browser, change, response),
  };
}

const device = { trustDevice: "N", deviceName: "Firefox, Linux" };
/** Every purpose there is: a new one without a line here doesn't compile. */
const WAYS: Readonly<Record<Purpose, Way>> = {
  login: {
    begin: (browser, method) => browser.askForCode({ method }),
    bySms: (browser, authorizationCode) =>
      browser.post(`${ACTIVATE}/confirm`, { ...device, authorizationCode, method: "sms" }),
    byPasskey: (browser, response) =>
      browser.post(`${ACTIVATE}/confirm`, { ...device, response, method: "passkey" }),
    whilePending: true,
  },
  register: { begin: undefined, bySms: () => Promise.reject(new Error("nothing to confirm")) },
  password: ofChange(CHANGES["password"]),
  usernameChange: ofChange(CHANGES["username"]),
  usernameRemind: {
    begin: (browser) => browser.post(`${REMIND}/init`, { policyNo: ANNA.policyNo }),
    bySms: (browser, authorizationCode) =>
      browser.post(`${REMIND}/confirm`, { policyNo: ANNA.policyNo, authorizationCode }),
  },
  documentPassword: ofChange(CHANGES["document password, the first"]),
  factors: {
    begin: (browser, method) => browser.put(`${FACTORS}/init`, { method }),
    bySms: (browser, authorizationCode) => browser.put(`${FACTORS}/recovery-code`, { authorizationCode }),
    byPasskey: (browser, response) =>
      browser.put(`${FACTORS}/recovery-code`, { response, method: "passkey" }),
  },
};

const refusalOf = ({ status, body }: Answer) => [status, body];
const OVER = [400, { errorCode: "010" }];

onAnyDatabase((kind) => {
  describe("signing out", () => {
    /** ANNA with an app and a passkey, signed in at localhost. */
    async function open(whilePending = false) {
      const way = await openTestBackend({ kind });
      const owner = new Browser(way);
      await owner.signIn(ANNA);
      const app = await addApp(way, owner, ANNA, NOON);
      way.advance(MINUTE);
      const { device, local } = await addPasskey(way, owner, ANNA, "Klucz");
      way.advance(MINUTE);
      const signInAgain = async () => {
        bodyOf(await local.login(ANNA));
        if (whilePending) return;
        bodyOf(await confirmBy(local, "app", appCode(app, NOON + 2 * MINUTE)));
      };
      if (whilePending) bodyOf(await local.login(ANNA));
      const signOutAndIn = async () => {
        await local.delete("/home/api/session");
        await signInAgain();
      };
      return { way, local, device, signOutAndIn };
    }

    const opened = async (
      purpose: Purpose,
      test: (open: {
        readonly way: TestBackend;
        readonly local: Browser;
        readonly device: PasskeyDevice;
        readonly signOutAndIn: () => Promise<void>;
      }) => Promise<void>,
    ) => {
      const ready = await open(WAYS[purpose].whilePending);
      await test(ready);
      await ready.way.close();
    };

    it.for(PURPOSES.filter((purpose) => WAYS[purpose].begin && !WAYS[purpose].whilePending))(
      "[S37] ends a code that was sent for %s: this browser's next session can't use it",
      (purpose) =>
        opened(purpose, async ({ way, local, signOutAndIn }) => {
          const { begin: start, bySms } = WAYS[purpose];
          if (start) bodyOf(await start(local, "sms"));
          const code = await latestCode(way, ANNA.phone);
          await signOutAndIn();
          expect(refusalOf(await bySms(local, code))).toEqual(OVER);
        }),
    );

    it.for(PURPOSES.filter((purpose) => WAYS[purpose].byPasskey))(
      "[S37] ends the question for a passkey for %s: its answer is too late",
      (purpose) =>
        opened(purpose, async ({ local, device: key, signOutAndIn }) => {
          const { begin: start, byPasskey } = WAYS[purpose];
          if (!start || !byPasskey) throw new Error(`no passkey confirms ${purpose}`);
          const answer = key.answer(optionsIn(await start(local, "passkey")));
          await signOutAndIn();
          expect(refusalOf(await byPasskey(local, answer))).toEqual(OVER);
        }),
    );

    it("[S27] of two sign-ins at once leaves the other its code, and sends no second one", async () => {
      const way = await openTestBackend({ kind });
      const browser = new Browser(way);
      bodyOf(await browser.login(ANNA));
      const refused = new Browser(way);
      refused.identifyAs(browser);
      bodyOf(await refused.login(ANNA));
      bodyOf(await browser.askForCode());
      const code = await latestCode(way, ANNA.phone);
      const sent = await messagesTo(way, ANNA.phone);
      await refused.delete("/home/api/session");
      bodyOf(await browser.askForCode());
      expect(await messagesTo(way, ANNA.phone)).toBe(sent);
      expect((await WAYS.login.bySms(browser, code)).status).toBe(200);
      await way.close();
    });

    it("[S37] ends a prepared app: the next session can't confirm it", async () => {
      const way = await openTestBackend({ kind });
      const browser = new Browser(way);
      await browser.signIn(ANNA);
      const app = bodyOf(await browser.put(`${FACTORS}/app/prepare`, await proofBySms(way, browser, ANNA)));
      await browser.delete("/home/api/session");
      way.advance(MINUTE);
      await browser.signIn(ANNA);
      const code = appCode(app, NOON + MINUTE);
      expect(refusalOf(await browser.put(`${FACTORS}/app/confirm`, { id: app.id, code }))).toEqual(OVER);
      await way.close();
    });

    it("[S37, S131] gives no new tries: wrong codes before it count after it", async () => {
      const way = await openTestBackend({ kind });
      const browser = new Browser(way);
      await browser.signIn(ANNA);
      const app = await addApp(way, browser, ANNA, NOON);
      await browser.delete("/home/api/session");
      const wrong = appCode(app, NOON, 9);
      const seen: unknown[] = [];
      for (let nth = 0; nth < 5; nth += 1) {
        bodyOf(await browser.login(ANNA));
        seen.push((await confirmBy(browser, "app", wrong)).body);
        await browser.delete("/home/api/session");
      }
      expect(seen.map((body) => (body as { errorCode: string }).errorCode)).toEqual([
        "007",
        "007",
        "007",
        "007",
        "016",
      ]);
      await way.close();
    });
  });
});
