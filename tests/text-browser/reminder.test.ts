import { afterEach, beforeEach, describe, test } from "vitest";
import { ANNA } from "../demo-customers";
import { startPortal, wrongCode, type Portal } from "../portal";
import { ABOVE, BELOW, expectInOrder } from "./lines";
import { PROGRAMS } from "./programs";
import { hasTextBrowser, TextBrowser } from "./terminal";

describe.each(PROGRAMS.filter(hasTextBrowser))("in $name, without scripts and styles", (program) => {
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

  test("a customer steps back, mistypes a code, is reminded of the username and gets to the sign-in code", async () => {
    await browser.read("Zanim przejdziesz dalej");
    await browser.press("Akceptuję");
    await browser.read("Twoje polisy i dokumenty w jednym miejscu.");
    await browser.press("Nie pamiętam nazwy użytkownika");

    expectInOrder(await browser.read("Nie pamiętasz nazwy użytkownika?"), [
      ...ABOVE,
      "Nie pamiętasz nazwy użytkownika?",
      "Numer polisy lub wniosku",
      EMPTY_FIELD,
      "Wyślij kod autoryzacyjny",
      "Wstecz",
      ...BELOW,
    ]);
    await browser.type("Numer polisy lub wniosku", ANNA.policyNo);
    await browser.press("Wyślij kod autoryzacyjny");
    await browser.read("Wpisz kod z SMS‑a");
    await browser.press("Wstecz");
    expectInOrder(await browser.read("Nie pamiętasz nazwy użytkownika?"), [
      "Numer polisy lub wniosku",
      program.field(ANNA.policyNo),
    ]);
    await browser.press("Wyślij kod autoryzacyjny");

    await browser.read("Wpisz kod z SMS‑a");
    const code = await portal.lastCode(ANNA.phone);
    await browser.type("Kod autoryzacyjny", wrongCode(code));
    await browser.press("Dalej");
    const message = "Błąd: Nieprawidłowy kod autoryzacyjny. Sprawdź najnowszy SMS i wpisz kod ponownie.";
    expectInOrder(await browser.read(message), [
      ...ABOVE,
      "Wpisz kod z SMS‑a",
      "Kod autoryzacyjny",
      EMPTY_FIELD,
      message,
      "Wyślij kod ponownie",
      "Dalej",
      "Wstecz",
    ]);
    await browser.type("Kod autoryzacyjny", code);
    await browser.press("Dalej");

    const found = await browser.read("Wpisz hasło, aby się zalogować.");
    expectInOrder(found, [
      ...ABOVE,
      "Zaloguj się",
      `Gotowe: Twoja nazwa użytkownika to: ${ANNA.username}`,
      "Nazwa użytkownika",
      "Hasło",
      EMPTY_FIELD,
      "Zaloguj się",
      "Użyj innej nazwy użytkownika",
    ]);
    await browser.type("Hasło", ANNA.password);
    await browser.press("Zaloguj się");
    await browser.read("Potwierdź, że to Ty");
  });
});
