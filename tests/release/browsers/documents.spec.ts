import { PIOTR, PIOTRS_DOCUMENT_PASSWORD } from "../../demo-customers";
import { textOf } from "../../pdf-tools";
import { expect, test } from "../../browsers/fixtures";

const CONFIRMATION = "Pobierz: Potwierdzenie ubezpieczenia";
const NEW_PASSWORD = "Hasla-Dokumentow-1!";

test("a protected document is saved under its name, and opens with the document password alone", async ({
  guest,
}) => {
  await guest.signIn(PIOTR);
  await guest.follow("OC – Škoda Octavia");
  await guest.lands(/^\/cp\/policy\//);
  const { name, bytes } = await guest.saves(CONFIRMATION);
  expect(name).toBe(`Potwierdzenie ubezpieczenia ${PIOTR.policyNo}.pdf`);
  expect(textOf(bytes, PIOTRS_DOCUMENT_PASSWORD)).toContain(PIOTR.name);
  expect(() => textOf(bytes, NEW_PASSWORD)).toThrow(/Incorrect password/);
  // The page has stayed, and so has the link.
  await guest.lands(/^\/cp\/policy\//);
});

test("without a document password, the way to a document leads through setting one, and back", async ({
  guest,
  portal,
  customer,
}) => {
  await guest.signIn(customer);
  await guest.follow("Ubezpieczenie turystyczne");
  await guest.lands(/^\/cp\/policy\//);
  await guest.follow(CONFIRMATION);
  await guest.lands("/home/create-document-password");
  await guest.reads("Ten plik jest chroniony hasłem do dokumentów.");
  await guest.press("Wyślij kod autoryzacyjny");
  await guest.reads("SMS z kodem wysłaliśmy");
  await guest.type("authorizationCode", await portal.lastCode(customer.phone));
  await guest.type("password", NEW_PASSWORD);
  await guest.type("passwordRepeat", NEW_PASSWORD);
  await guest.press("Zapisz");
  await guest.lands("/cp/profile?document-password-save-result=create");
  await guest.reads("Hasło do dokumentów zostało utworzone.");
  const { bytes } = await guest.saves("Pobierz dokument, na który czekasz");
  expect(textOf(bytes, NEW_PASSWORD)).toContain(customer.policyNo);
});
