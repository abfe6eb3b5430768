import { expect, it } from "vitest";
import { CALLS } from "~/contract/calls.server";
import { ANNA, KRYSTYNA, PIOTR } from "../demo-customers";
import { Browser, latestCode, type Answer } from "./browser";
import type { Way } from "./way";

const ofAnna = (path: string) => `/home/api/user/${encodeURIComponent(ANNA.username)}/${path}`;

/** The masked number that a code went to, and who may see it. */
export function sentToPromises(way: () => Way): void {
  /** The answers to every init that needs neither a password nor a session. */
  const openInits = async (browser: Browser): Promise<readonly Answer[]> => [
    await browser.post(ofAnna("password-reset/init")),
    await browser.post("/home/api/user/login-remind/init", { policyNo: ANNA.policyNo }),
    await browser.post("/home/api/user/register/init", { policyNo: KRYSTYNA.policyNo, pid: KRYSTYNA.pid }),
  ];

  it("[S6, F13] behind a right password or a session, an init masks the number it names, if any", async () => {
    const browser = new Browser(way());
    await browser.login(ANNA);
    const answers = [await browser.askForCode()];
    await browser.confirm(await latestCode(way(), ANNA.phone));
    answers.push(
      await browser.post(ofAnna("password-reset/init")),
      await browser.post(ofAnna("login-change/init")),
      await browser.put("/cp/api/doc-pwd/create/init"),
      await browser.put("/cp/api/doc-pwd/change/init"),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      const { sentTo } = body as { sentTo?: string };
      // The portal drops anything but a masked number.
      expect(CALLS.activateSessionInit.response.parse(body).sentTo).toBe(sentTo);
      if (sentTo !== undefined) expect(sentTo.slice(-3)).toBe(ANNA.phone.slice(-3));
    }
  });

  it("[S6, F13] any other init names no number: not to strangers, known browsers or other customers", async () => {
    const stranger = new Browser(way());
    const known = new Browser(way());
    await known.signIn(ANNA);
    await known.delete("/home/api/session");
    const other = new Browser(way());
    await other.signIn(PIOTR);
    for (const browser of [stranger, known, other])
      for (const { status, body } of await openInits(browser)) {
        expect(status).toBe(200);
        expect(body).not.toHaveProperty("sentTo");
      }
  });
}
