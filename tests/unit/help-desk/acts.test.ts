import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { putPhone } from "~/backend/customers/phones.server";
import { sealColumn } from "~/backend/customers/customers.server";
import { mostLifts } from "~/backend/accounts/looks.server";
import { performOnce, readToAct } from "~/backend/support/perform-once.server";
import { withNotices } from "~/help-desk/notices.server";
import { ACT_NAMES } from "~/backend/support/acts.server";
import { Browser } from "../../contract/browser";
import { onAnyDatabase } from "../../database";
import { ANNA, MARIA, PIOTR } from "../../demo-customers";
import { addApp } from "../../factor-steps";
import { addPasskey, LOCALHOST, PasskeyDevice } from "../../passkey-device";
import { fifty, NOON } from "../backend/test-backend";
import { bySupport } from "../operators/account/help-desk";
import { lock, noticesTo, signIn } from "../backend/notices/notice-steps";
import { EWA, JAN, OLA, openDeskBeside, wordsOf, type DeskBeside } from "./staff";

const REASON = "call 1234";
const byEwa = (event: string) => ({
  event,
  operator: "ewa.z (u-17)",
  reason: REASON,
  device_name: "help-desk",
});

onAnyDatabase((kind) => {
  describe("an act of the help desk's pages", () => {
    let beside: DeskBeside;
    beforeEach(async () => {
      beside = await openDeskBeside(kind, { SMS_NOTICES: "on" });
    });
    afterEach(() => beside.close());

    it("[S97] does what its command does, and the audit has the same events, with the person and the reason", async () => {
      const { way, as, acts } = beside;
      const browser = await signIn(way, ANNA, "Y");
      await addApp(way, browser, ANNA, NOON);
      await lock(way);
      const ewa = await as(EWA);
      await ewa.open(ANNA.username);
      const said: string[] = [];
      for (const act of ["unlock", "reset-caps", "reset-factors", "lock-out", "disable", "enable", "expire"])
        said.push(wordsOf(await ewa.does(act)));
      for (const [nth, words] of [
        "Konto odblokowane. zdjęte blokady czasowe: 1",
        "Limity wyzerowane.",
        "usunięte aplikacje z kodami i klucze dostępu: 1",
        "zapomniane przeglądarki: 1",
        "Konto wyłączone.",
        "Konto włączone.",
        "Konto oznaczone jako wygasłe.",
      ].entries())
        expect(said[nth]).toContain(words);
      expect(await acts()).toEqual(
        [
          "account-unlocked",
          "caps-reset",
          "factors-reset",
          "sessions-ended",
          "devices-forgotten",
          "account-disabled",
          "account-enabled",
          "account-expired",
        ].map(byEwa),
      );
    });

    it("[S97] ends sessions and forgets devices; about a new phone number it decides either way", async () => {
      const { way, desk, as, acts } = beside;
      await signIn(way, ANNA, "Y");
      const ewa = await as(EWA);
      await ewa.open(ANNA.username);
      expect(wordsOf(await ewa.does("end-sessions"))).toContain("zakończone sesje: 1");
      expect(wordsOf(await ewa.does("forget-devices"))).toContain("urządzenia, którym portal już nie ufa: 1");
      expect(wordsOf((await ewa.get("/help-desk/act/use-new-phone")).text)).toContain(
        "Tutaj nie ma teraz czego zmieniać",
      );
      const [row] = await way.query(
        "select id, phone_sealed from customers where id = (select customer_id from accounts where username = ?)",
        ANNA.username,
      );
      const id = String(row?.["id"]);
      const wait = () =>
        desk.store.write((tx) =>
          putPhone(tx, desk.keyring, id, {
            phone_sealed: String(row?.["phone_sealed"]),
            new_phone_from: NOON + 60_000,
            isChanged: true,
            isDelayed: true,
            new_phone_sealed: sealColumn(desk.keyring, id, "new_phone_sealed", "+48500888001"),
          }),
        );
      for (const act of ["keep-old-phone", "use-new-phone"]) {
        await wait();
        const page = wordsOf((await ewa.get(`/help-desk/act/${act}`)).text);
        expect(page).toContain("SMS o tym dostaną oba numery");
        await ewa.does(act);
      }
      expect(await acts()).toEqual(
        ["sessions-ended", "devices-forgotten", "new-phone-stopped", "new-phone-used"].map(byEwa),
      );
      for (const phone of [ANNA.phone, "+48500888001"])
        expect((await noticesTo(way, phone)).filter((text) => text.includes("numer"))).toHaveLength(2);
    });

    it("says before and after a lock-out that a passkey still signs in, and which", async () => {
      const { way, as } = beside;
      const google = "ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4";
      const device = new PasskeyDevice(LOCALHOST, { discoverable: true, copies: true, aaguid: google });
      await addPasskey(way, await signIn(way, ANNA), ANNA, "Telefon", device);
      const ewa = await as(EWA);
      await ewa.open(ANNA.username);
      const before = wordsOf((await ewa.get("/help-desk/act/lock-out")).text);
      expect(before).toContain("Klucz dostępu nadal będzie logować bez hasła i kodu");
      expect(before).toContain("Google Password Manager, loguje bez hasła, skopiowany na inne urządzenia");
      expect(wordsOf(await ewa.does("lock-out"))).toMatch(/klucze dostępu, które nadal logują[^:]+: 1/);
    });

    it("[S97] is done once by fifty presses of the same button, and each of them says so", async () => {
      const { way, as, acts } = beside;
      await addApp(way, await signIn(way, ANNA), ANNA, NOON);
      const ewa = await as(EWA);
      await ewa.open(ANNA.username);
      const form = await ewa.form("reset-factors");
      const before = (await noticesTo(way)).length;
      const pressed = await fifty(() => ewa.post("/help-desk/act/reset-factors", form));
      expect(pressed.map(({ status }) => status)).toEqual(pressed.map(() => 303));
      expect((await acts()).filter(({ event }) => event === "factors-reset")).toHaveLength(1);
      expect((await noticesTo(way)).length - before).toBe(1);
    });

    it("shows the new state first if the customer has changed meanwhile", async () => {
      const { as, acts } = beside;
      const [ewa, jan] = [await as(EWA), await as(JAN)];
      await ewa.open(ANNA.username);
      await jan.open(ANNA.username);
      const form = await ewa.form("disable");
      await jan.does("expire");
      const pressed = await ewa.post("/help-desk/act/disable", form);
      expect(pressed.status).toBe(409);
      expect(wordsOf(pressed.text)).toContain("Dane klienta zmieniły się");
      expect(wordsOf(pressed.text)).toContain("wygasłe – klient nie może się logować");
      expect(await acts()).toHaveLength(1);
    });

    it("isn't kept away by a stranger who types wrong passwords all the time", async () => {
      const { way, as } = beside;
      const ewa = await as(EWA);
      await ewa.open(ANNA.username);
      const form = await ewa.form("unlock");
      await lock(way);
      expect((await ewa.post("/help-desk/act/unlock", form)).status).toBe(303);
      expect((await new Browser(way).login(ANNA)).status).toBe(200);
    });

    it("[S97] is refused on a page of another customer than the one now open", async () => {
      const { as, acts } = beside;
      const ewa = await as(EWA);
      await ewa.open(ANNA.username);
      const form = await ewa.form("disable");
      await ewa.open(PIOTR.username);
      const pressed = await ewa.post("/help-desk/act/disable", form);
      expect(pressed.status).toBe(409);
      const words = wordsOf(pressed.text.replace(/<title>.*?<\/title>/, ""));
      expect(words).toContain(
        "Nic nie zrobiliśmy. Ta zmiana dotyczyła klienta, który był otwarty wcześniej.",
      );
      expect(words).toContain(`Teraz otwarty ${PIOTR.name}`);
      expect(pressed.text).toMatch(/href="\/help-desk\/customer".*href="\/help-desk"/s);
      expect(await acts()).toEqual([]);
    });

    it("is offered where it can change something, and grave ones apart", async () => {
      const { way, as } = beside;
      await way.change("delete from known_browsers");
      const ewa = await as(EWA);
      const offered = async (username: string) =>
        [...(await ewa.open(username)).matchAll(/\/help-desk\/act\/([\w-]+)"|<h3/g)].map(([, act]) => act);
      const always = ["lock-out", "end-sessions"];
      expect(await offered(ANNA.username)).toEqual([...always, "disable", "expire"]);
      await signIn(way, ANNA, "Y");
      await lock(way);
      expect(await offered(ANNA.username)).toEqual([
        "unlock",
        "lock-out",
        "end-sessions",
        "forget-devices",
        "disable",
        "expire",
      ]);
      expect(await offered(MARIA.username)).toEqual([...always, "disable", "expire", undefined, "unlock"]);
    });

    it("is no act of those who may only look, and a try is audited", async () => {
      const { as, acts } = beside;
      const [ewa, ola] = [await as(EWA), await as(OLA)];
      await ewa.open(ANNA.username);
      expect(wordsOf(await ola.open(ANNA.username))).not.toContain("Co można zrobić");
      for (const act of ACT_NAMES) {
        expect((await ola.get(`/help-desk/act/${act}`)).status).toBe(403);
        expect((await ola.post(`/help-desk/act/${act}`, await ewa.form(act))).status).toBe(403);
      }
      const refusal = await ola.get("/help-desk/waiting");
      expect(refusal.status).toBe(403);
      expect(wordsOf(refusal.text)).toContain("Wróć do klienta");
      const refused = await acts();
      expect(refused.map(({ event, operator }) => [event, operator])).toEqual(
        Array(2 * ACT_NAMES.length + 1).fill(["staff-refused", "ola.n (u-19)"]),
      );
      expect(refused.at(-1)?.["reason"]).toBe("may only look: /help-desk/waiting");
    });

    it("[S97] is refused on one's own account, by e-mail or phone, and audited", async () => {
      const { as, acts } = beside;
      for (const own of [{ email: "Anna.Nowak@poczta.example" }, { phone: "tel:0500/100/001" }]) {
        const anna = await as({ ...EWA, ...own });
        await anna.open(ANNA.username);
        expect((await anna.get("/help-desk/act/disable")).status).toBe(403);
        expect((await anna.post("/help-desk/act/disable", {})).status).toBe(403);
      }
      expect((await acts()).map(({ event }) => event)).toEqual(Array(4).fill("staff-refused"));
    });

    it("[S97] asks for a fresh sign-on before it opens an account to somebody else, and comes back", async () => {
      const { as, advance, acts } = beside;
      const ewa = await as(EWA);
      await ewa.open(ANNA.username);
      await ewa.does("disable");
      const form = await ewa.form("enable");
      advance(6 * 60_000);
      for (const answer of [
        await ewa.get("/help-desk/act/enable"),
        await ewa.post("/help-desk/act/enable", form),
      ])
        expect(answer.location).toBe("/help-desk/sign-on?back=%2Fhelp-desk%2Fact%2Fenable&fresh=1");
      expect((await ewa.get("/help-desk/act/disable")).status).toBe(200);
      expect(await acts()).toHaveLength(1);
    });

    it("[S97] asks for a fresh sign-on before it lifts a lock that a person set, not for any other lock", async () => {
      const { way, as, advance, acts } = beside;
      await lock(way, MARIA.username);
      const ewa = await as(EWA);
      await ewa.open(MARIA.username);
      const form = await ewa.form("unlock");
      advance(6 * 60_000);
      for (const answer of [
        await ewa.get("/help-desk/act/unlock"),
        await ewa.post("/help-desk/act/unlock", form),
      ])
        expect(answer.location).toBe("/help-desk/sign-on?back=%2Fhelp-desk%2Fact%2Funlock&fresh=1");
      expect(await acts()).toEqual([]);
      await lock(way);
      await ewa.open(ANNA.username);
      expect(wordsOf(await ewa.does("unlock"))).toContain("Konto odblokowane. zdjęte blokady czasowe: 1");
    });

    it("[S97] lifts no person's lock that came between the page's check and the act", async () => {
      const { way, desk } = beside;
      const [row] = await way.query(
        "select id, customer_id from accounts where username = ?",
        MARIA.username,
      );
      const customer = { customerId: String(row?.["customer_id"]), accountId: String(row?.["id"]) };
      const { seen } = await readToAct(desk, "unlock", customer);
      const source = bySupport();
      const request = { act: "unlock", customer, seen, source } as const;
      expect(await performOnce(withNotices(desk), { ...request, isGrave: false })).toEqual({
        kind: "changed",
      });
      expect(await performOnce(withNotices(desk), { ...request, isGrave: true })).toMatchObject({
        kind: "done",
      });
    });

    it("[S97] tells the customer when it lets their codes be guessed on, and an alarm's count goes up", async () => {
      const { way, desk, as } = beside;
      await addApp(way, await signIn(way, ANNA), ANNA, NOON);
      const ewa = await as(EWA);
      await ewa.open(ANNA.username);
      expect(wordsOf((await ewa.get("/help-desk/act/unlock")).text)).toContain("nie dostanie o tym");
      for (const times of [1, 2]) {
        await way.change("update factor_settings set wrong_in_row = 100");
        expect(wordsOf((await ewa.get("/help-desk/act/unlock")).text)).toContain("Klient dostanie o tym SMS");
        expect(wordsOf(await ewa.does("unlock"))).toContain("zdjęte blokady kodów: 1");
        expect((await noticesTo(way)).filter((text) => text.includes("zniosla blokade kodow"))).toHaveLength(
          times,
        );
        expect(await mostLifts(desk.store.read, NOON)).toBe(times);
      }
    });
  });
});
