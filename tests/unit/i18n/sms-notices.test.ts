import { describe, expect, it } from "vitest";
import { NOTICE_EVENTS } from "~/contract/notices";
import { noticeTexts, septets, smsFaults } from "~/i18n/sms-texts.server";

/** 22 November 2026, 14:05 in Poland. */
const AT = Date.UTC(2026, 10, 22, 13, 5);
const textsOf = (brand: string, helpline: string) =>
  NOTICE_EVENTS.map((event) => noticeTexts(brand, helpline)[event]({ at: AT }));

describe("[S96] SMS notices", () => {
  it("say what happened, when, and whom to call", () => {
    expect(textsOf("Tarnea", "800\u00a0100\u00a0200")).toEqual([
      "Tarnea: 22.11.2026 14:05 zmieniono haslo do portalu. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 ustawiono nowe haslo do portalu (opcja: nie pamietam hasla). To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 zmieniono nazwe uzytkownika portalu. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 ustawiono haslo do dokumentow. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 dodano zaufane urzadzenie. Logowanie na nim nie wymaga kodu SMS. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 uzyto kopii danych zaufanego urzadzenia do logowania. Nie jest juz zaufane. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 tymczasowo zablokowano logowanie do portalu po kilku blednych haslach. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 dodano aplikacje z kodami lub klucz dostepu. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 usunieto aplikacje z kodami lub klucz dostepu. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 zalogowano kodem odzyskiwania. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 utworzono nowy kod odzyskiwania. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 zmieniono ustawienie kodow SMS przy logowaniu. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 po podaniu Twojego hasla zgadywano kody. Ktos zna Twoje haslo, zmien je. Pomoc: 800 100 200",
      "Tarnea: 22.11.2026 14:05 infolinia usunela aplikacje z kodami i klucze dostepu. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 infolinia zniosla blokade kodow po blednych probach. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 dostalismy Twoj nowy numer telefonu. Uzyjemy go pozniej, na razie piszemy na ten. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 infolinia wlaczyla Twoj nowy numer telefonu. Kody wysylamy juz na niego. To nie Ty? Zadzwon: 800 100 200",
      "Tarnea: 22.11.2026 14:05 zatrzymano zmiane numeru telefonu. Kody wysylamy na dotychczasowy numer. To nie Ty? Zadzwon: 800 100 200",
    ]);
  });

  it("say which device became trusted, what was added, and whether codes by SMS are on or off", () => {
    const texts = noticeTexts("Tarnea", "800 100 200");
    const end = "To nie Ty? Zadzwon: 800 100 200";
    expect([
      texts["device-trusted"]({ at: AT, deviceName: "Firefox 128, Windows 10" }),
      texts["factor-added"]({ at: AT, detail: "app" }),
      texts["factor-added"]({ at: AT, detail: "passkey" }),
      texts["sms-at-sign-in"]({ at: AT, detail: "on" }),
      texts["sms-at-sign-in"]({ at: AT, detail: "off" }),
    ]).toEqual([
      `Tarnea: 22.11.2026 14:05 dodano zaufane urzadzenie: Firefox 128, Windows 10. Logowanie na nim bez kodu SMS. ${end}`,
      `Tarnea: 22.11.2026 14:05 dodano aplikacje z kodami do logowania. ${end}`,
      `Tarnea: 22.11.2026 14:05 dodano klucz dostepu. Logowanie nim bez hasla i kodu. ${end}`,
      `Tarnea: 22.11.2026 14:05 wlaczono kody SMS przy logowaniu. ${end}`,
      `Tarnea: 22.11.2026 14:05 wylaczono kody SMS przy logowaniu. ${end}`,
    ]);
  });

  it.each([
    ["too long for one message", "Samsung Internet Browser 24, Android 14 Upside Down Cake Plus"],
    ["with a letter that GSM-7 lacks", "nieznana przeglądarka, Windows 10"],
    ["with an address", "Chrome 128, oszust.pl"],
    ["with a number to call", "Chrome 700123456, Windows 10"],
    ["unknown", ""],
  ])("name no device that is %s", (_why, deviceName) => {
    const { "device-trusted": text } = noticeTexts("Tarnea", "800 100 200");
    expect(text({ at: AT, deviceName })).toBe(text({ at: AT }));
  });

  it.each(["800 100 200", "800100200", "48221002030", "22 1002030"])(
    "fit one GSM-7 message, and hold nothing like a code or a link, with the number %s",
    (helpline) => {
      for (const text of textsOf("Wielkopolskie", helpline)) {
        expect(septets(text), text).toBeLessThanOrEqual(160);
        expect(text).not.toMatch(/\d{6}|https?:|www\.|@|#/);
        expect(text.replaceAll(" ", "").endsWith(helpline.replaceAll(" ", ""))).toBe(true);
      }
    },
  );

  it.each([
    ["summer", Date.UTC(2026, 6, 1, 22, 30), "2.07.2026 0:30"],
    ["the last hour of summer time", Date.UTC(2026, 9, 25, 0, 59), "25.10.2026 2:59"],
    ["the first hour after it", Date.UTC(2026, 9, 25, 2, 0), "25.10.2026 3:00"],
  ])("name Poland's time: %s", (_when, at, shown) => {
    expect(noticeTexts("Tarnea", "800 100 200")["device-trusted"]({ at })).toContain(` ${shown} `);
  });

  it("stop the start if BRAND_NAME makes one too long or like a code, unless they are off", () => {
    const helpline = "800 100 200";
    expect(smsFaults("Wielkopolskie", { helpline: "80 01 00 20 03" })).toEqual([]);
    for (const brand of ["T".repeat(45), "Ubezpieczenia123456"]) {
      expect(smsFaults(brand, { helpline })).toEqual([
        expect.stringMatching(/^BRAND_NAME: expected .*\(or SMS_NOTICES=off\)$/),
      ]);
      expect(smsFaults(brand, {})).toEqual([]);
    }
  });
});
