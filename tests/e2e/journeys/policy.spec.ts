import { expect, test } from "./journey";
import { openPolicy } from "./open-policy";

const DAYS = /\d{1,2}\s\p{L}+\s\d{4}\s–\s\d{1,2}\s\p{L}+\s\d{4}/u;
const CLAIM = { id: "szkoda" };

test("a policy's page says what is insured, for whom and when, and leads back to the list", async ({
  visitor,
  signedIn,
}) => {
  await openPolicy(visitor, signedIn);
  const number = signedIn.policyNo;
  await visitor.titled(new RegExp(`^Polisa ${number}: .+ – Portal klienta \\| Tarnea Ubezpieczenia$`));
  await visitor.reads(number, { fact: "Numer polisy" });
  await visitor.reads(signedIn.name, { fact: "Ubezpieczony" });
  await visitor.reads(DAYS, { fact: "Okres ochrony" });
  await visitor.reads("Aktywna");
  await visitor.follow("Moje polisy");
  await visitor.lands("/cp");
  await visitor.headed("Moje polisy");
});

test("each document has a plain link of its own, named after it; a protected one says what opens it", async ({
  visitor,
  signedIn,
}) => {
  await openPolicy(visitor, signedIn);
  const confirmation = { item: "Potwierdzenie ubezpieczenia" };
  await visitor.reads(/PDF, \d+\skB/, confirmation);
  await visitor.reads("Chroniony hasłem", confirmation);
  const link = await visitor.linkOf("Pobierz: Potwierdzenie ubezpieczenia", confirmation);
  expect(link).toMatch(/^\/cp\/document\/[^/]+$/);
});

test("without a document password, the documents say that one is needed, and where it is made", async ({
  visitor,
  signedIn,
}) => {
  await openPolicy(visitor, signedIn);
  await visitor.follow("Utwórz hasło do dokumentów");
  await visitor.lands("/home/create-document-password");
});

test("[F61] a policy's page says what to do after damage, whom to call, and which number to have at hand", async ({
  visitor,
  signedIn,
}) => {
  await openPolicy(visitor, signedIn);
  await visitor.unfold("Zgłoś szkodę");
  await visitor.reads("W razie szkody", CLAIM);
  await visitor.reads(signedIn.policyNo, CLAIM);
  // One number for both is said once.
  await visitor.reads(/Zgłoś szkodę, całą dobę: 22\s100\s20\s99/, CLAIM);
  expect(await visitor.linkOf("112", CLAIM)).toBe("tel:112");
});

test("[F61] a card's button for claims leads to the part of the policy's page that says whom to call", async ({
  visitor,
  signedIn,
}) => {
  await visitor.open("/cp");
  await visitor.follow(/^Zgłoś szkodę ?: ./, { item: signedIn.policyNo });
  await visitor.lands(/^\/cp\/policy\/[^/#]+#szkoda$/);
  await visitor.reads("W razie szkody", CLAIM);
});

for (const id of ["nie-ma-takiej", "POL-100001"]) {
  test(`the policy ${id} is a page that doesn't exist, inside the portal`, async ({
    visitor,
    signedIn,
    expectedOnConsole,
  }) => {
    expectedOnConsole.push(/the server responded with a status of 404/);
    await visitor.open(`/cp/policy/${id}`);
    await visitor.answered(404);
    await visitor.titled("Błąd: Nie ma takiej strony – Logowanie klienta | Tarnea Ubezpieczenia");
    await visitor.headed("Nie ma takiej strony");
    await visitor.reads(signedIn.name, { landmark: "header" });
  });
}
