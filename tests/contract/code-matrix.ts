import { isDeepStrictEqual } from "node:util";
import { describe, expect, it, type TestContext } from "vitest";
import { ANNA, PIOTR, freshCustomer, type RegisteredCustomer } from "../demo-customers";
import { Browser, latestCode, wrongCode, type Answer } from "./browser";
import { leftOut } from "./left-out";
import { NEW_PASSWORD } from "./register";
import type { Way } from "./way";

const NEW_NAME = "nowa.nazwa.99";

/** One purpose of codes, as seen from a browser: how a code is requested and how it is used. */
interface Journey {
  readonly phone: string;
  /** The state the browser must be in: signed out, waiting for its code, or signed in. */
  readonly needs: "nothing" | "pending" | "active";
  readonly ask: (browser: Browser) => Promise<Answer>;
  readonly use: (browser: Browser, code: string) => Promise<Answer>;
}

const user = (username: string, path: string) => `/home/api/user/${username}/${path}`;
const { policyNo, pid, phone } = freshCustomer(40);

const journeysOf = (who: RegisteredCustomer): Readonly<Record<string, Journey>> => ({
  login: {
    phone: who.phone,
    needs: "pending",
    ask: (browser) => browser.askForCode(),
    use: (browser, code) => browser.confirm(code),
  },
  register: {
    phone,
    needs: "nothing",
    ask: (browser) => browser.post("/home/api/user/register/init", { policyNo, pid }),
    use: (browser, authorizationCode) =>
      browser.post("/home/api/user/register/confirm", {
        authorizationCode,
        password: NEW_PASSWORD,
        pid,
        policyNo,
      }),
  },
  password: {
    phone: who.phone,
    needs: "nothing",
    ask: (browser) => browser.post(user(who.username, "password-reset/init")),
    use: (browser, authorizationCode) =>
      browser.post(user(who.username, "password-reset/confirm"), {
        newPassword: NEW_PASSWORD,
        authorizationCode,
      }),
  },
  usernameRemind: {
    phone: who.phone,
    needs: "nothing",
    ask: (browser) => browser.post("/home/api/user/login-remind/init", { policyNo: who.policyNo }),
    use: (browser, authorizationCode) =>
      browser.post("/home/api/user/login-remind/confirm", { authorizationCode, policyNo: who.policyNo }),
  },
  usernameChange: {
    phone: who.phone,
    needs: "active",
    ask: (browser) => browser.post(user(who.username, "login-change/init")),
    use: (browser, authorizationCode) =>
      browser.post(user(who.username, "login-change/confirm"), { newUsername: NEW_NAME, authorizationCode }),
  },
  documentPassword: {
    phone: who.phone,
    needs: "active",
    ask: (browser) => browser.put("/cp/api/doc-pwd/create/init"),
    use: (browser, authToken) =>
      browser.put("/cp/api/doc-pwd/create/confirm", { authToken, password: "Dokument-Haslo-9" }),
  },
  factors: {
    phone: who.phone,
    needs: "active",
    ask: (browser) => browser.put("/cp/api/factors/init"),
    use: (browser, authorizationCode) => browser.put("/cp/api/factors/app/prepare", { authorizationCode }),
  },
});

const PURPOSES = Object.keys(journeysOf(ANNA));

/**
 * [S25] A code belongs to one browser, account and purpose, and is worthless anywhere else. [S21] Whatever it is for,
 * five wrong tries block it.
 */
export function codeMatrixPromises(way: () => Way): void {
  /** The same browser in each state that a journey needs: same identifying cookies, different sessions. */
  async function ready(who = ANNA) {
    const active = new Browser(way());
    await active.signIn(who);
    const nothing = new Browser(way());
    const pending = new Browser(way());
    for (const browser of [nothing, pending]) browser.identifyAs(active);
    await pending.login(who);
    return { nothing, pending, active };
  }

  const ask = async (journey: Journey, browser: Browser, context: TestContext) => {
    const { status } = await journey.ask(browser);
    if (status === 404) leftOut(way(), context, "the backend has no second factors");
    expect(status).toBe(200);
    return latestCode(way(), journey.phone);
  };

  function journey(name: string, who = ANNA): Journey {
    const found = journeysOf(who)[name];
    if (!found) throw new Error(`no journey ${name}`);
    return found;
  }

  describe("[S25] purpose × purpose, in one browser", () => {
    it.for(PURPOSES)("a code for %s is wrong for anything else", async (asked, context) => {
      const browsers = await ready();
      const code = await ask(journey(asked), browsers[journey(asked).needs], context);
      for (const used of PURPOSES.filter((name) => name !== asked)) {
        const other = journey(used);
        const begun = await other.ask(browsers[other.needs]);
        // An insurer's server may lack second factors.
        if (begun.status === 404 && way().mayLeaveOut) continue;
        expect(begun.status, used).toBe(200);
        const { body } = await other.use(browsers[other.needs], code);
        expect(body, used).toEqual({ errorCode: "007" });
      }
    });
  });

  describe("[S25] browser × browser", () => {
    it.for(PURPOSES)("a code for %s is wrong in another browser", async (name, context) => {
      const [here, there] = [await ready(), await ready()];
      const { needs, use } = journey(name);
      const code = await ask(journey(name), here[needs], context);
      await ask(journey(name), there[needs], context);
      expect((await use(there[needs], code)).body).toEqual({ errorCode: "007" });
    });
  });

  describe("[S25] account × account, in one browser", () => {
    it.for(PURPOSES.filter((name) => name !== "register"))(
      "Anna's code for %s is wrong for Piotr",
      async (name, context) => {
        const browsers = await ready(ANNA);
        const code = await ask(journey(name, ANNA), browsers[journey(name).needs], context);
        const piotrs = await ready(PIOTR);
        for (const browser of Object.values(piotrs)) browser.identifyAs(browsers.nothing);
        const { needs, use } = journey(name, PIOTR);
        await ask(journey(name, PIOTR), piotrs[needs], context);
        expect((await use(piotrs[needs], code)).body).toEqual({ errorCode: "007" });
      },
    );
  });

  describe("[S21] ten wrong codes at once", () => {
    it.for(PURPOSES)("for %s: four are told so, then the code is blocked", async (name, context) => {
      const { needs, use } = journey(name);
      const browser = (await ready())[needs];
      const code = await ask(journey(name), browser, context);
      const tries = Array.from({ length: 10 }, (_, nth) => use(browser.twin(), wrongCode(code, nth + 1)));
      const bodies = (await Promise.all(tries)).map(({ body }) => body);
      const refusals = (errorCode: string) => bodies.filter((body) => isDeepStrictEqual(body, { errorCode }));
      expect(refusals("007")).toHaveLength(4);
      expect(refusals("016")).toHaveLength(6);
    });
  });
}
