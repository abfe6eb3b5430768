import { Visitor } from "../../visitor";
import { test } from "./journey";

const DOCUMENTS = "Hasla-Dokumentow-1!";

test("§4 document password: created from the profile, then changed; the profile says which it was", async ({
  visitor,
  portal,
  signedIn,
}) => {
  const modes = [
    ["create", "Utwórz hasło do dokumentów", "Hasło do dokumentów zostało utworzone."],
    ["change", "Zmień hasło do dokumentów", "Hasło do dokumentów zostało zmienione."],
  ] as const;
  await visitor.open("/cp/profile");
  await visitor.reads("Nie ustawiono");
  for (const [mode, button, done] of modes) {
    await visitor.press(button);
    await visitor.lands(`/home/${mode}-document-password`);
    const authorizationCode = await portal.lastCode(signedIn.phone);
    await visitor.fill({ authorizationCode, password: DOCUMENTS, passwordRepeat: DOCUMENTS });
    await visitor.press("Zapisz");
    await visitor.lands(`/cp/profile?document-password-save-result=${mode}`);
    await visitor.reads(done);
  }
});

test("§2 the list of allowed characters opens and closes, and typed values are kept", async ({
  visitor,
  standAt,
}) => {
  const list = { id: "allowed-characters" };
  await standAt("create-document-password");
  await visitor.type("password", DOCUMENTS);
  await visitor.lacks("litery bez polskich znaków", list);
  await visitor.follow("Dozwolone znaki");
  await visitor.reads("litery bez polskich znaków: a\u2060–\u2060z, A\u2060–\u2060Z", list);
  await visitor.reads("cyfry: 0\u2060–\u20609", list);
  await visitor.reads("znaki specjalne:", list);
  await visitor.follow("Zamknij", list);
  await visitor.lacks("litery bez polskich znaków", list);
  await visitor.holds("password", DOCUMENTS);
});

test("[S44] trusted devices: one is removed, then all, and the profile says so", async ({
  visitor,
  portal,
  customer,
}) => {
  const mine = new Visitor(portal);
  await mine.signIn(customer, true);
  for (let more = 0; more < 2; more += 1) await new Visitor(portal).signIn(customer, true);
  await visitor.takeOver(mine);
  await visitor.open("/cp/profile");
  await visitor.unfold("Zaufane urządzenia");
  const one = /^Usuń (?!wszystkie)|^Usuń:/;
  await visitor.offers("button", one, 3);
  await visitor.press(one);
  await visitor.reads("Urządzenie nie jest już zaufane.");
  await visitor.offers("button", one, 2);
  await visitor.press("Usuń wszystkie urządzenia");
  await visitor.reads("Wszystkie zaufane urządzenia zostały usunięte.");
  // Still open, because the customer has just changed something in it.
  await visitor.reads("Nie masz zaufanych urządzeń.");
});
