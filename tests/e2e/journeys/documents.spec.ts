import { PIOTR, PIOTRS_DOCUMENT_PASSWORD } from "../../demo-customers";
import { textOf } from "../../pdf-tools";
import { Visitor } from "../../visitor";
import { LIKE_ANOTHER } from "../../release-run";
import { expect, test } from "./journey";
import { openPolicy } from "./open-policy";

const DOCUMENTS = "Hasla-Dokumentow-1!";
const CONFIRMATION = "Pobierz: Potwierdzenie ubezpieczenia";
const SET = "/cp/profile?document-password-save-result=create";

test("a customer without a document password is led to set one, and back to the document", async ({
  visitor,
  portal,
  signedIn,
}) => {
  await openPolicy(visitor, signedIn);
  await visitor.follow(CONFIRMATION);
  await visitor.lands("/home/create-document-password");
  await visitor.reads("Ten plik jest chroniony hasłem do dokumentów.");
  await visitor.send("Wyślij kod autoryzacyjny");
  const authorizationCode = await portal.lastCode(signedIn.phone);
  await visitor.fill({ authorizationCode, password: DOCUMENTS, passwordRepeat: DOCUMENTS });
  await visitor.press("Zapisz");
  await visitor.lands(SET);
  await visitor.reads("Hasło do dokumentów zostało utworzone.");
  const { name, bytes } = await visitor.saves("Pobierz dokument, na który czekasz");
  expect(name).toBe(`Potwierdzenie ubezpieczenia ${signedIn.policyNo}.pdf`);
  expect(textOf(bytes, DOCUMENTS)).toContain(signedIn.policyNo);
  await visitor.lands(SET);
});

test(
  "a document password begun on a policy's page leads back to that page",
  { tag: LIKE_ANOTHER },
  async ({ visitor, portal, signedIn }) => {
    await openPolicy(visitor, signedIn);
    const path = await visitor.path();
    await visitor.follow("Utwórz hasło do dokumentów");
    await visitor.lands("/home/create-document-password");
    await visitor.lacks("Ten plik jest chroniony");
    await visitor.send("Wyślij kod autoryzacyjny");
    const authorizationCode = await portal.lastCode(signedIn.phone);
    await visitor.fill({ authorizationCode, password: DOCUMENTS, passwordRepeat: DOCUMENTS });
    await visitor.press("Zapisz");
    await visitor.lands(SET);
    await visitor.follow("Wróć do polisy");
    await visitor.lands(path);
  },
);

test(
  "documents open with the document password and in no other way; public terms need none",
  { tag: LIKE_ANOTHER },
  async ({ visitor, portal }) => {
    const mine = new Visitor(portal);
    await mine.signIn(PIOTR);
    await visitor.takeOver(mine);
    await visitor.open("/cp");
    await visitor.follow("OC – Škoda Octavia");
    await visitor.lands(/^\/cp\/policy\/[^/]+$/);
    const { bytes } = await visitor.saves(CONFIRMATION);
    expect(textOf(bytes, PIOTRS_DOCUMENT_PASSWORD)).toContain("Piotr Wiśniewski");
    expect(() => textOf(bytes, DOCUMENTS)).toThrow(/Incorrect password/);
    const terms = await visitor.saves(/^Pobierz ?: Ogólne warunki/);
    expect(terms.name).toMatch(/\.pdf$/);
    expect(textOf(terms.bytes, "")).not.toBe("");
  },
);

test("a document asked for after the session has ended leads to the sign-in page, not to a file", async ({
  visitor,
  signedIn,
}) => {
  await openPolicy(visitor, signedIn);
  await visitor.forget(/session/);
  await visitor.follow(CONFIRMATION);
  await visitor.lands("/home");
});
