import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RequestOptions } from "~/contract/factors.server";
import { Browser, latestCode } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { bodyOf, proofBySms, withPassword } from "../../../factor-steps";
import { PasskeyDevice } from "../../../passkey-device";
import { openTestBackend, type TestBackend } from "../test-backend";
import { addPasskeyOf, ask, confirm, FACTORS, factorsOf, OFFERED, ORIGIN } from "./passkey-steps";

const MINUTE = 60_000;
/** Flags of a device that asked who uses it, and copies its passkeys, or has not yet. */
const [COPIED, NOT_YET_COPIED] = [0x1d, 0x0d];

onAnyDatabase((kind) => {
  describe("a passkey's registration", () => {
    let way: TestBackend;
    let owner: Browser;

    beforeEach(async () => {
      way = await openTestBackend({ kind, factors: OFFERED, publicOrigin: ORIGIN });
      owner = new Browser(way);
      await owner.signIn(ANNA);
      way.advance(MINUTE);
    });
    afterEach(() => way.close());

    const add = (device = new PasskeyDevice(ORIGIN)) =>
      addPasskeyOf(way, { device, browser: owner, customer: ANNA });

    it("keeps what only a registration knows, and whether it is copied at each use", async () => {
      const google = "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4";
      const first = await add(
        new PasskeyDevice(ORIGIN, { discoverable: true, copies: true, aaguid: google }),
      );
      expect(first.options.extensions).toEqual({ credProps: true });
      await add(new PasskeyDevice(ORIGIN, { discoverable: false }));
      await add(new PasskeyDevice(ORIGIN));
      const { factors } = await factorsOf(owner);
      expect(factors.map(({ discoverable, maker }) => [discoverable, maker])).toEqual([
        [true, "Google Password Manager"],
        [false, undefined],
        [null, undefined],
      ]);
      const backups = () =>
        way.query(
          `select backup_eligible as may, backed_up as is_now from passkeys where credential_id = '${first.device.id}'`,
        );
      expect(await backups()).toEqual([{ may: 1, is_now: 1 }]);
      const browser = new Browser(way);
      const options = await ask(browser);
      bodyOf(await confirm(browser, first.device.answer(options, { flags: NOT_YET_COPIED })));
      expect(await backups()).toEqual([{ may: 1, is_now: 0 }]);
      const pending = await withPassword(way, ANNA);
      const begun = bodyOf(await pending.askForCode({ method: "passkey" })) as unknown as {
        readonly options: RequestOptions;
      };
      const response = first.device.answer(begun.options, { flags: COPIED });
      bodyOf(
        await pending.post("/home/api/user/activate-session/confirm", {
          method: "passkey",
          response,
          trustDevice: "N",
          deviceName: "x",
        }),
      );
      expect(await backups()).toEqual([{ may: 1, is_now: 1 }]);
    });

    it("tells browsers which passkeys there are, and under which name, also when the last one is gone", async () => {
      expect((await factorsOf(owner)).passkeys).toBeUndefined();
      const first = await add();
      const { user } = first.options;
      expect((await factorsOf(owner)).passkeys).toEqual({
        rpId: "portal.example",
        user,
        credentialIds: [first.device.id],
      });
      bodyOf(await owner.put(`${FACTORS}/remove`, { id: first.id, ...(await proofBySms(way, owner, ANNA)) }));
      way.advance(MINUTE);
      bodyOf(await owner.post(`/home/api/user/${ANNA.username}/login-change/init`));
      const authorizationCode = await latestCode(way, ANNA.phone);
      const newUsername = "anna.nowak.nowa";
      bodyOf(
        await owner.post(`/home/api/user/${ANNA.username}/login-change/confirm`, {
          authorizationCode,
          newUsername,
        }),
      );
      const renamed = { id: user.id, name: newUsername, displayName: newUsername };
      expect((await factorsOf(owner)).passkeys).toEqual({
        rpId: "portal.example",
        user: renamed,
        credentialIds: [],
      });
      way.advance(MINUTE);
      // The next one takes the place of the removed one on its device.
      expect((await add()).options.user).toEqual(renamed);
    });
  });
});
