import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ANNA, PIOTR, PIOTRS_DOCUMENT_PASSWORD, type RegisteredCustomer } from "../demo-customers";
import { textOf } from "../pdf-tools";
import { startPortal, wrongCode, type Portal } from "../portal";
import { IS_RELEASE } from "../release-run";
import { Visitor } from "../visitor";
import { ABOVE, BELOW, expectInOrder } from "./lines";
import { PROGRAMS } from "./programs";
import { hasTextBrowser, TextBrowser } from "./terminal";

// `npm test` installs the programs if it may, and otherwise says loudly that they are missing.
const HERE = PROGRAMS.filter(hasTextBrowser).filter(({ name }) => IS_RELEASE || name === "w3m");

describe.each(HERE)("in $name, without scripts and styles", (program) => {
  const EMPTY_FIELD = program.field("");
  let portal: Portal;
  let browser: TextBrowser;
  beforeEach(async () => {
    portal = await startPortal();
    browser = await TextBrowser.open(program, `${portal.origin}/home`);
  });
  afterEach(async () => {
    await browser.close();
    await portal.stop();
  });

  /** From the first page to My Policies. */
  async function signIn({ username, password, phone }: RegisteredCustomer): Promise<void> {
    await browser.read("Zanim przejdziesz dalej");
    await browser.press("Akceptuję");
    await browser.read("Twoje polisy i dokumenty w jednym miejscu.");
    await browser.type("Nazwa użytkownika", username);
    await browser.type("Hasło", password);
    await browser.press("Zaloguj się");
    await browser.read("Potwierdź, że to Ty");
    await browser.type("Kod autoryzacyjny", await portal.lastCode(phone));
    await browser.press("Potwierdź");
    await browser.read("Moje polisy");
  }

  test("[F51] a customer signs in, reads about the policies and signs out", async () => {
    const consent = await browser.read("Zanim przejdziesz dalej");
    expectInOrder(consent, [
      ...ABOVE,
      "Zanim przejdziesz dalej",
      "Podstawowe pliki cookies",
      "Akceptuję i przechodzę dalej",
      ...BELOW,
    ]);
    await browser.press("Akceptuję");

    const signInPage = await browser.read("Twoje polisy i dokumenty w jednym miejscu.");
    expectInOrder(signInPage, [
      ...ABOVE,
      "Zaloguj się",
      "Twoje polisy i dokumenty w jednym miejscu.",
      "Nazwa użytkownika",
      EMPTY_FIELD,
      "Hasło",
      EMPTY_FIELD,
      "Zaloguj się",
      ...BELOW,
    ]);
    await browser.type("Nazwa użytkownika", ANNA.username);
    await browser.type("Hasło", ANNA.password);
    await browser.read(program.field("*".repeat(ANNA.password.length)));
    await browser.press("Zaloguj się");

    const code = await browser.read("Potwierdź, że to Ty");
    expectInOrder(code, [
      ...ABOVE,
      "Potwierdź, że to Ty",
      "Kod autoryzacyjny",
      EMPTY_FIELD,
      "Wyślij kod ponownie",
      "Potwierdź",
      "Wstecz",
      ...BELOW,
    ]);
    expect(code.find((line) => line.startsWith("Dodaj to urządzenie do zaufanych"))).toContain(
      program.checked,
    );
    // The heading and the button: the one that Enter presses elsewhere shows no words, brackets or picture (F51).
    expect(code.filter((line) => line.includes("Potwierdź"))).toHaveLength(2);
    expect(code.join("\n")).not.toMatch(/BUTTON|Submit|IMAGE|favicon|U200B|\[\s?\]/);
    await browser.type("Kod autoryzacyjny", await portal.lastCode(ANNA.phone));
    await browser.press("Potwierdź");

    const policies = await browser.read("Ubezpieczenie mieszkania");
    expectInOrder(policies, [
      ...ABOVE,
      `Zalogowano: ${ANNA.name}`,
      "Moje polisy",
      "Ubezpieczenie mieszkania",
      "Numer polisy",
      ANNA.policyNo,
      "Czy chcesz się wylogować?",
      "Wyloguj się",
      "Wróć",
    ]);

    await browser.press("Wyloguj się");
    await browser.read("Czy chcesz się wylogować?");
    await browser.press("Wyloguj się", "Czy chcesz się wylogować?");
    expectInOrder(await browser.read("Wylogowano z portalu"), [
      ...ABOVE,
      "Wylogowano z portalu",
      "Zaloguj się ponownie",
      ...BELOW,
    ]);
    expect(await portal.messagesTo(ANNA.phone)).toBe(1);
  });

  test.runIf(IS_RELEASE)(
    "[F50] a customer reads that a password is wrong above the form, and that a code is at its field",
    async () => {
      await browser.read("Zanim przejdziesz dalej");
      await browser.press("Akceptuję");
      await browser.read("Twoje polisy i dokumenty w jednym miejscu.");
      await browser.type("Nazwa użytkownika", PIOTR.username);
      await browser.type("Hasło", "Zle-Haslo-2026!");
      await browser.press("Zaloguj się");

      const refused = await browser.read("Błąd: Nieprawidłowa nazwa użytkownika lub hasło.");
      const kept = program.field(PIOTR.username);
      expectInOrder(refused, [
        ...ABOVE,
        "Zaloguj się",
        "Błąd: Nieprawidłowa nazwa użytkownika lub hasło.",
        "Nazwa użytkownika",
        kept,
        "Hasło",
        EMPTY_FIELD,
        "Zaloguj się",
      ]);
      await browser.type("Hasło", PIOTR.password);
      await browser.press("Zaloguj się");

      await browser.read("Potwierdź, że to Ty");
      const code = await portal.lastCode(PIOTR.phone);
      await browser.type("Kod autoryzacyjny", wrongCode(code));
      await browser.press("Potwierdź");
      const message = "Błąd: Nieprawidłowy kod autoryzacyjny. Sprawdź najnowszy SMS i wpisz kod ponownie.";
      const wrong = await browser.read(message);
      expectInOrder(wrong, [
        ...ABOVE,
        "Potwierdź, że to Ty",
        "Kod autoryzacyjny",
        EMPTY_FIELD,
        message,
        "Wyślij kod ponownie",
        "Potwierdź",
      ]);
      await browser.type("Kod autoryzacyjny", code);
      await browser.press("Potwierdź");
      await browser.read("Moje polisy");
    },
  );

  test.runIf(IS_RELEASE)(
    "a customer saves a protected document, and it opens with the document password",
    async () => {
      await signIn(PIOTR);
      await browser.press("OC\u00a0– Škoda Octavia");

      expectInOrder(await browser.read("Dokumenty"), [
        ...ABOVE,
        "OC – Škoda Octavia",
        PIOTR.policyNo,
        "Dokumenty",
        "Potwierdzenie ubezpieczenia",
        "Chroniony hasłem",
        "Pobierz: Potwierdzenie ubezpieczenia",
        ...BELOW,
      ]);
      const { name, bytes } = await browser.save("Pobierz: Potwierdzenie ubezpieczenia");
      expect(name).toMatch(/^Potwierdzenie/);
      expect(textOf(bytes, PIOTRS_DOCUMENT_PASSWORD)).toContain(PIOTR.name);
      expect(() => textOf(bytes)).toThrow(/Incorrect password/);
    },
  );

  test.runIf(IS_RELEASE)(
    "a customer reads where they are signed in and what happened, and ends all other sessions",
    async () => {
      const other = new Visitor(portal);
      await other.signIn(ANNA);
      await signIn(ANNA);
      await browser.press("Moje dane");

      const device = "nieznana przeglądarka, nieznany system";
      const lines = await browser.read("Ostatnia aktywność");
      // The other session is on a device of the same name (F45). lynx shows the date on the next line.
      const ofOther = `Wyloguj: urządzenie ${device}. Zalogowano`;
      const signOut = lines.find((line) => line.startsWith(ofOther)) ?? "none";
      expectInOrder(lines, [
        ...ABOVE,
        "Moje dane",
        ANNA.name,
        "Dane do logowania",
        ANNA.username,
        "Numer telefonu",
        `••• ••• ${ANNA.phone.slice(-3)}`,
        "Zaufane urządzenia",
        "To urządzenie",
        `Usuń: urządzenie ${device}`,
        "Zalogowane urządzenia",
        "To urządzenie",
        signOut,
        "Wyloguj wszystkie pozostałe",
        "Ostatnia aktywność",
        "Dodano zaufane urządzenie",
        `na urządzeniu: ${device}`,
        ...BELOW,
      ]);
      await browser.press("Wyloguj wszystkie pozostałe");
      const after = await browser.read("Gotowe: Pozostałe urządzenia zostały wylogowane.");
      expect(after.filter((line) => line.startsWith("Wyloguj: urządzenie"))).toEqual([]);
      expect((await other.get("/cp")).header("Location")).toBe("/home");
    },
  );
});
