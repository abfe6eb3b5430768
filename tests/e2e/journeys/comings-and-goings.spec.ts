import { JAN } from "../../demo-customers";
import { Visitor } from "../../visitor";
import { expect, test } from "./journey";

/** The number that helps at any hour. */
const ALWAYS = "22 100 20 99";

test("a session that ended elsewhere: the next click leads to the start page", async ({
  visitor,
  portal,
}) => {
  const mine = new Visitor(portal);
  await mine.signIn(JAN);
  await visitor.takeOver(mine);
  await visitor.open("/cp");
  await mine.post("/home/logout");
  await visitor.follow("Moje dane", { landmark: "header" });
  await visitor.lands("/home");
  await visitor.lacks(JAN.name, { landmark: "body" });
});

test("[F52] the error page gives a reference number, a mistyped address none; both show a way on", async ({
  visitor,
  expectedOnConsole,
}) => {
  expectedOnConsole.push(/the server responded with a status of 404/);
  await visitor.arrive();
  await visitor.open("/service");
  await visitor.titled("Błąd: Coś poszło nie tak – Logowanie klienta | Tarnea Ubezpieczenia");
  expect(await visitor.linkOf(ALWAYS)).toBe("tel:+48221002099");
  await visitor.reads(/Numer błędu: [\w-]{8,}/);
  await visitor.follow("Przejdź do logowania");
  await visitor.lands("/home");

  await visitor.open("/nie-ma-takiej-strony");
  await visitor.titled("Błąd: Nie ma takiej strony – Logowanie klienta | Tarnea Ubezpieczenia");
  await visitor.headed("Nie ma takiej strony");
  expect(await visitor.linkOf(ALWAYS, { landmark: "footer" })).toBe("tel:+48221002099");
  await visitor.lacks("Numer błędu");
  await visitor.follow("Przejdź do portalu");
  await visitor.lands("/home");
});
