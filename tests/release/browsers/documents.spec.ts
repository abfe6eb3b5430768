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
