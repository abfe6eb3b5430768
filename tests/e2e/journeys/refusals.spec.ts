import { ANNA, EWA, JAN, MARIA, PIOTR, TOMASZ } from "../../demo-customers";
import { startPortal, wrongCode } from "../../portal";
import { LIKE_ANOTHER } from "../../release-run";
import { expect, test } from "./journey";

const WRONG = "Nieprawidłowa nazwa użytkownika lub hasło.";
const BLOCKED = { dialog: "Kod autoryzacyjny zablokowany" };

test("a field with only spaces is reported at the field", async ({ visitor }) => {
  await visitor.arrive();
  await visitor.login({ username: "   ", password: "Haslo-Ktore-Jest-1" });
  await visitor.faulty("username", "Pole nie może być puste.");
});

test("101: a banner, both fields invalid, the username kept, the password not", async ({ visitor }) => {
  await visitor.arrive();
  await visitor.login({ username: "nie.ma.takiej", password: "Zle-Haslo-2026!" });
  await visitor.alerted(WRONG);
  await visitor.titled("Błąd: Logowanie klienta | Tarnea Ubezpieczenia");
  await visitor.faulty("username", WRONG);
  await visitor.faulty("password", WRONG);
  await visitor.holds("username", "nie.ma.takiej");
  await visitor.holds("password", visitor.secretAfterRefusal("Zle-Haslo-2026!"));
  await visitor.login(JAN);
  await visitor.lands("/home/mfa");
});

for (const { code, customer, header, leave, tag } of [
  { code: "105", customer: TOMASZ, header: "Konto wygasło", leave: "follow", tag: undefined },
  { code: "106", customer: MARIA, header: "Konto zablokowane", leave: "press", tag: undefined },
  { code: "108", customer: EWA, header: "Konto wyłączone", leave: "follow", tag: LIKE_ANOTHER },
] as const) {
  test(
    `[F7] ${code}: a dialog with the helpline; OK leads to the start page, signed out`,
    { tag: tag ?? [] },
    async ({ visitor }) => {
      await visitor.arrive();
      await visitor.login(customer);
      await visitor.reads("22\u00a0100\u00a020\u00a030", { dialog: header });
      await visitor.holds("username", customer.username);
      await visitor.holds("password", visitor.secretAfterRefusal(customer.password));
      await visitor.titled(/^Błąd: /);
      await visitor[leave]("OK", { dialog: header });
      await visitor.lands("/home");
      await visitor.offers("dialog", header, 0, { landmark: "body" });
      if (code !== "106") for (const field of ["username", "password"]) await visitor.holds(field, "");
      expect(await visitor.cookieNames()).not.toContain("session");
    },
  );
}

test("[S124] [F38] [F47] 106 at the fifth wrong password: the fourth warns; a dialog says what helps", async ({
  visitor,
}) => {
  const username = "nikt.zamkniety";
  await visitor.arrive();
  for (let nth = 1; nth <= 4; nth += 1) {
    await visitor.fill({ username, password: `Zle-Haslo-${nth}!` });
    await visitor.send("Zaloguj się");
    await visitor.alerted(nth === 4 ? "Została Ci jedna próba." : "Caps Lock");
  }
  await visitor.login({ username, password: "Zle-Haslo-5!" });
  const dialog = { dialog: "Konto zablokowane" };
  await visitor.reads(/Spróbuj ponownie za 1[45]\sminut/, dialog);
  expect(await visitor.linkOf("800 100 200", dialog)).toBe("tel:+48800100200");
  await visitor.follow("Ustaw nowe hasło", dialog);
  await visitor.lands("/home/reset-password-init");
  await visitor.holds("username", username);
});

test("016: the fifth wrong code opens a dialog; the new code it sends works", async ({ visitor, portal }) => {
  await visitor.reachCode(PIOTR);
  const code = await portal.lastCode(PIOTR.phone);
  const messages = await portal.messagesTo(PIOTR.phone);
  for (let nth = 1; nth <= 5; nth += 1) {
    await visitor.type("authorizationCode", wrongCode(code, nth));
    await visitor.send("Potwierdź");
    if (nth < 5) await visitor.refused("Nieprawidłowy kod autoryzacyjny.");
  }
  await visitor.press("Wyślij nowy kod", BLOCKED);
  await visitor.reads("Wysłaliśmy nowy SMS o");
  await visitor.offers("dialog", BLOCKED.dialog, 0, { landmark: "body" });
  expect(await portal.messagesTo(PIOTR.phone)).toBe(messages + 1);
  await visitor.confirm(await portal.lastCode(PIOTR.phone));
  await visitor.lands("/cp");
});

test("016 can be cancelled: the screen stays, and the code stays blocked", async ({ visitor, portal }) => {
  await visitor.reachCode(PIOTR);
  const code = await portal.lastCode(PIOTR.phone);
  for (let nth = 1; nth <= 5; nth += 1) {
    await visitor.type("authorizationCode", wrongCode(code, nth));
    await visitor.send("Potwierdź");
  }
  await visitor.follow("Anuluj", BLOCKED);
  await visitor.offers("dialog", BLOCKED.dialog, 0, { landmark: "body" });
  await visitor.lands("/home/mfa");
  await visitor.confirm(code);
  await visitor.offers("dialog", BLOCKED.dialog, 1, { landmark: "body" });
});

test("429: a visitor who tries too often is told how many minutes to wait, and the username is kept", async ({
  visitorAt,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/the server responded with a status of 429/);
  const portal = await startPortal({ env: { LIMIT_ADDRESS_SIGN_INS_PER_10_MINUTES: "1" } });
  const visitor = await visitorAt(portal);
  await visitor.arrive();
  await visitor.login({ username: "kto.inny", password: "Zle-Haslo-1!" });
  await visitor.alerted(WRONG);
  await visitor.login(ANNA);
  await visitor.alerted(/Zbyt wiele prób\. Spróbuj ponownie za \d+\sminut/);
  await visitor.holds("username", ANNA.username);
  await visitor.holds("password", visitor.secretAfterRefusal(ANNA.password));
  await portal.stop();
});
