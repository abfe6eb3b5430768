import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sealColumn } from "~/backend/customers/customers.server";
import { findIndex } from "~/backend/customers/find-indexes.server";
import { onAnyDatabase } from "../../database";
import { ANNA, KRYSTYNA, PIOTR } from "../../demo-customers";
import { fifty } from "../backend/test-backend";
import { signIn } from "../backend/notices/notice-steps";
import { EWA, JAN, OLA, openDeskBeside, wordsOf, type DeskBeside } from "./staff";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

onAnyDatabase((kind) => {
  describe("finding a customer", () => {
    let beside: DeskBeside;
    beforeEach(async () => {
      beside = await openDeskBeside(kind, { HELP_DESK_LOOKS_PER_HOUR: "5" });
    });
    afterEach(() => beside.close());

    const refusals = async () =>
      (await beside.acts()).filter(({ event }) => event === "staff-refused").map(({ reason }) => reason);
    const stops = async () =>
      Number(
        (await beside.way.query("select count from windows where bucket = 'help-desk-stops'"))[0]?.[
          "count"
        ] ?? 0,
      );

    it("takes a whole username, policy number, identifier, phone or e-mail, and no part of one", async () => {
      const ola = await beside.as(OLA);
      for (const value of [
        ` ${ANNA.username} `,
        "pol 100001",
        ANNA.pid,
        "500 100 001",
        "ANNA.NOWAK@poczta.example",
      ]) {
        const found = await ola.post("/help-desk", { value, reason: "call 1234" });
        expect([found.status, found.location], value).toEqual([303, "/help-desk/customer"]);
      }
      for (const value of ["anna", "POL-1000", ANNA.pid.slice(0, 6), "100 001", "anna.nowak@"]) {
        const found = await ola.post("/help-desk", { value, reason: "call 1234" });
        expect(wordsOf(found.text), value).toContain("Nie ma takiego klienta. Co może być przyczyną?");
        expect(found.text).toContain(`value="${value}"`);
      }
    });

    it("lists several hits by name, policies and birth year, and opens one of them", async () => {
      const { way, as } = beside;
      // Piotr gets Anna's number, as families do.
      const { keyring } = beside.desk;
      const [piotr] = await way.query("select customer_id from accounts where username = ?", PIOTR.username);
      const id = String(piotr?.["customer_id"]);
      await way.change(
        "update customers set phone_sealed = ?, phone_index = ? where id = ?",
        sealColumn(keyring, id, "phone_sealed", ANNA.phone),
        findIndex(keyring, "phone", ANNA.phone),
        id,
      );
      const ola = await as(OLA);
      const found = await ola.post("/help-desk", { value: ANNA.phone, reason: "call 1234" });
      const words = wordsOf(found.text);
      expect(words).toContain("Znaleziono 2 klientów");
      expect(found.text).not.toContain(ANNA.phone);
      expect(found.text).toContain('value="call 1234"');
      expect(words).toMatch(/Anna Nowak ?, osoba z numerem PESEL; ur. 1985; polisy: POL-100001/);
      const [, hit = ""] = /name="hit" value="([^"]+)"/.exec(found.text) ?? [];
      expect((await ola.post("/help-desk", { hit })).location).toBe("/help-desk/customer");
      // Nobody else's hit, and no forged one.
      expect((await (await as(EWA)).post("/help-desk", { hit })).location).toBe("/help-desk");
      expect((await ola.post("/help-desk", { hit: id })).location).toBe("/help-desk");
    });

    it("needs a reason of 3 to 200 characters, without a PESEL, and keeps what was typed", async () => {
      const ola = await beside.as(OLA);
      for (const [reason, fault] of [
        ...["", "  ab ", "a".repeat(201)].map((text) => [text, "Podaj powód – od 3 do 200 znaków."]),
        ...[`klient ${ANNA.pid}`, "klient 850214-00129"].map((text) => [text, "Usuń z powodu PESEL"]),
      ] as [string, string][]) {
        const refused = await ola.post("/help-desk", { value: ANNA.username, reason });
        expect(refused.status, reason).toBe(400);
        // The alert itself says the fault, and links of the form lead to it.
        expect(wordsOf(/role="alert".*?<\/div>/s.exec(refused.text)?.[0] ?? "")).toContain(fault);
        expect(refused.text).toContain('action="/help-desk#outcome"');
        expect(refused.text).toContain(`value="${ANNA.username}"`);
      }
      expect(wordsOf((await ola.post("/help-desk", {})).text)).toContain("Popraw 2 błędy");
      for (const reason of ["abc", "a".repeat(200), "sprawa 8502140012"])
        expect((await ola.post("/help-desk", { value: ANNA.username, reason })).status).toBe(303);
    });

    it("[S97] is allowed thirty times a minute to each person, by all processes together, and then audited", async () => {
      const { as, advance } = beside;
      const ola = await as(OLA);
      const found = await fifty(() => ola.post("/help-desk", { value: KRYSTYNA.pid, reason: "call 1234" }));
      expect(found.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(20);
      expect(await refusals()).toContain("too many finds: call 1234");
      expect(await stops()).toBeGreaterThanOrEqual(20);
      expect(
        (await (await as(JAN)).post("/help-desk", { value: ANNA.pid, reason: "call 1234" })).status,
      ).toBe(303);
      advance(HOUR);
      expect(
        (await (await as(OLA)).post("/help-desk", { value: ANNA.pid, reason: "call 1234" })).status,
      ).toBe(303);
    });

    it("[S97] tells at most a hundred times in an hour that there is no such customer", async () => {
      const { as, advance } = beside;
      const statuses: number[] = [];
      for (let minute = 0; minute < 6; minute += 1) {
        const ola = await as(OLA);
        for (let nth = 0; nth < 20; nth += 1)
          statuses.push(
            (await ola.post("/help-desk", { value: `nie-${minute}-${nth}`, reason: "call" })).status,
          );
        advance(MINUTE);
      }
      expect(statuses).toEqual([...Array<number>(100).fill(200), ...Array<number>(20).fill(429)]);
      expect(await refusals()).toEqual(Array(20).fill("too many misses: call"));
    });

    it("[S97] opens as many customers in an hour as HELP_DESK_LOOKS_PER_HOUR says", async () => {
      const { as, advance } = beside;
      const ola = await as(OLA);
      for (let nth = 1; nth <= 5; nth += 1) await ola.open(ANNA.username);
      const sixth = await ola.post("/help-desk", { value: PIOTR.username, reason: "call 1234" });
      expect(sixth.status).toBe(429);
      expect(wordsOf(sixth.text)).toContain("Następne wyszukiwanie będzie możliwe o 14:00");
      expect(await refusals()).toEqual(["too many looks: call 1234"]);
      // The customer who is open stays open.
      expect((await ola.get("/help-desk/customer")).status).toBe(200);
      advance(HOUR);
      expect(
        (await (await as(OLA)).post("/help-desk", { value: PIOTR.username, reason: "call" })).status,
      ).toBe(303);
    });
  });

  describe("a customer's page", () => {
    let beside: DeskBeside;
    beforeEach(async () => {
      beside = await openDeskBeside(kind);
    });
    afterEach(() => beside.close());

    it("[S97] shows no whole identifier, phone number or address, and no secret; each look is audited", async () => {
      const { way, as } = beside;
      await signIn(way, ANNA, "Y");
      const ewa = await as(EWA);
      const pages = [await ewa.open(ANNA.username)];
      for (const act of ["unlock", "disable", "use-new-phone"])
        pages.push((await ewa.get(`/help-desk/act/${act}`)).text);
      pages.push(await ewa.open(KRYSTYNA.policyNo));
      const whole = [ANNA, KRYSTYNA].flatMap(({ pid, phone }) => [pid, phone.slice(3)]);
      for (const secret of [...whole, ANNA.username, "anna.nowak@poczta.example", ANNA.password])
        for (const page of pages) expect(page.replace(/<title>.*?<\/title>/, "")).not.toContain(secret);
      expect(pages.map((page) => /<title>(.*?)<\/title>/.exec(page)?.[1])).toEqual([
        "Klient – Obsługa klientów | Tarnea Ubezpieczenia",
        "Odblokuj konto – Obsługa klientów | Tarnea Ubezpieczenia",
        "Wyłącz konto – Obsługa klientów | Tarnea Ubezpieczenia",
        "Użyj nowego numeru od razu – Obsługa klientów | Tarnea Ubezpieczenia",
        "Klient – Obsługa klientów | Tarnea Ubezpieczenia",
      ]);
      const looks = await way.query(
        "select event, operator, reason, device_name from audit_events where event = 'account-shown'",
      );
      expect(looks).toEqual(
        Array(2).fill({
          event: "account-shown",
          operator: "ewa.z (u-17)",
          reason: "call 1234",
          device_name: "help-desk",
        }),
      );
    });

    it("[S97] is one look for a minute, however often it is shown, and another one after it", async () => {
      const { way, as, advance } = beside;
      const ola = await as(OLA);
      const looks = async () =>
        (await way.query("select id from audit_events where event = 'account-shown'")).length;
      await ola.open(ANNA.username);
      await fifty(() => ola.get("/help-desk/customer"));
      expect(await looks()).toBe(1);
      await (await as(EWA)).open(ANNA.username);
      expect(await looks()).toBe(2);
      advance(MINUTE);
      await ola.get("/help-desk/customer");
      expect(await looks()).toBe(3);
    });

    it("says what account show says", async () => {
      const { way, as } = beside;
      await signIn(way, ANNA, "Y");
      const words = wordsOf(await (await as(OLA)).open(ANNA.username));
      for (const said of [
        "Stan aktywne – klient może się logować",
        "Telefon ••• ••• 001",
        "Drugi krok logowania brak",
        "Zaufane urządzenia",
        "kod do logowania",
        "Zalogowano",
        "Anna Nowak osoba z numerem PESEL; ur. 1985; polisy: POL-100001, POL-110001, POL-120001",
        "129,00 zł",
        "Tytuł przelewu: POL-100001",
      ])
        expect(words).toContain(said);
      expect(words).not.toContain("Co można zrobić");
    });

    it("is no page for whoever has chosen nobody, or somebody who was erased", async () => {
      const { way, as } = beside;
      const ola = await as(OLA);
      expect((await ola.get("/help-desk/customer")).location).toBe("/help-desk");
      await ola.open(KRYSTYNA.policyNo);
      await way.change("delete from policies where customer_id not in (select customer_id from accounts)");
      await way.change("delete from customers where id not in (select customer_id from accounts)");
      expect((await ola.get("/help-desk/customer")).status).toBe(404);
      const ewa = await as(EWA);
      expect((await ewa.get("/help-desk/act/unlock")).location).toBe("/help-desk");
    });
  });
});
