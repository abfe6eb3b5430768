import { expect, it } from "vitest";
import { Browser } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { addApp, appCode, bodyOf, confirmBy } from "../../../factor-steps";
import { NOON, openTestBackend, type TestBackend } from "../../backend/test-backend";

const MINUTE = 60_000;

const isSignedIn = async (browser: Browser) => (await browser.post("/home/api/user/init", {})).status === 200;

/** Signs in here and elsewhere; elsewhere may be the session of a thief. */
async function twoSessions(way: TestBackend) {
  const [here, elsewhere] = [new Browser(way), new Browser(way)];
  await elsewhere.signIn(ANNA);
  way.advance(MINUTE);
  await here.signIn(ANNA);
  return { here, elsewhere };
}

onAnyDatabase((kind) => {
  it("[S156] adding a factor ends every other session, and keeps this one", async () => {
    const way = await openTestBackend({ kind });
    const { here, elsewhere } = await twoSessions(way);
    await addApp(way, here, ANNA, NOON + MINUTE);
    expect(await isSignedIn(elsewhere)).toBe(false);
    expect(await isSignedIn(here)).toBe(true);
    await way.close();
  });

  it("[S156] switching codes by SMS off ends every other session; switching them on ends none", async () => {
    const way = await openTestBackend({ kind });
    const { here } = await twoSessions(way);
    const app = await addApp(way, here, ANNA, NOON + MINUTE);
    const switchSms = async (on: boolean) => {
      way.advance(MINUTE);
      passed += MINUTE;
      const proof = { method: "app", authorizationCode: appCode(app, NOON + passed) };
      return bodyOf(await here.put("/cp/api/factors/sms", { ...proof, on }));
    };
    let passed = MINUTE;
    const signInElsewhere = async () => {
      way.advance(MINUTE);
      passed += MINUTE;
      const elsewhere = new Browser(way);
      bodyOf(await elsewhere.login(ANNA));
      bodyOf(await confirmBy(elsewhere, "app", appCode(app, NOON + passed)));
      return elsewhere;
    };
    const first = await signInElsewhere();
    await switchSms(false);
    expect(await isSignedIn(first)).toBe(false);
    const second = await signInElsewhere();
    await switchSms(true);
    expect(await isSignedIn(second)).toBe(true);
    expect(await isSignedIn(here)).toBe(true);
    await way.close();
  });
});
