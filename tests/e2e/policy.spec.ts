import type { Locator } from "@playwright/test";
import { expect, test } from "./account";

const DAYS = /^\d{1,2}\s\p{L}+\s\d{4} – \d{1,2}\s\p{L}+\s\d{4}$/u;

function fact(main: Locator, term: string) {
  return main.locator("dl > div").filter({ hasText: term }).locator("dd");
}

test("a press anywhere on a card leads to the policy's page, which says what is insured, for whom and when", async ({
  person,
  page,
  signedIn,
  policy: { name, number, main },
}) => {
  await expect(person.heading).toHaveText(name);
  await expect(page).toHaveTitle(`Polisa ${number}: ${name} – Portal klienta | Tarnea Ubezpieczenia`);
  await expect(fact(main, "Numer polisy")).toHaveText(number);
  await expect(fact(main, "Ubezpieczony")).toHaveText(signedIn.name);
  await expect(fact(main, "Okres ochrony")).toHaveText(DAYS);
  await expect(main.getByText("Aktywna")).toBeVisible();
});

test("a policy's page leads back to the list", async ({ person, page, policy }) => {
  await policy.main.getByRole("link", { name: "Moje polisy" }).click();
  await expect(page).toHaveURL("/cp");
  await expect(person.heading).toHaveText("Moje polisy");
});

test("each document has a plain link of its own, named after it; a protected one says what opens it", async ({
  policy,
}) => {
  const documents = policy.main
    .getByRole("heading", { name: "Dokumenty" })
    .locator("xpath=..")
    .getByRole("listitem");
  const confirmation = documents.filter({ hasText: "Potwierdzenie ubezpieczenia" });
  await expect(confirmation).toContainText(/PDF, \d+\skB/);
  await expect(confirmation).toContainText("Chroniony hasłem");
  const link = confirmation.getByRole("link", { name: "Pobierz : Potwierdzenie ubezpieczenia", exact: true });
  await expect(link).toHaveAttribute("href", /^\/cp\/document\/[^/]+$/);
});

test("without a document password, the documents say that one is needed, and where it is made", async ({
  page,
  policy,
}) => {
  await policy.main.getByRole("link", { name: "Utwórz hasło do dokumentów" }).click();
  await expect(page).toHaveURL("/home/create-document-password");
});

test("[F61] a policy's page says what to do after damage, whom to call, and which number to have at hand", async ({
  policy: { main, number },
}) => {
  await main.locator("summary", { hasText: "Zgłoś szkodę" }).click();
  const claim = main.locator("#szkoda");
  await expect(claim.getByRole("heading")).toHaveText("W razie szkody");
  await expect(claim).toContainText(number);
  // One number for both is said once.
  await expect(claim.locator("[href='tel:+48221002099']")).toHaveText(
    /^Zgłoś szkodę, całą dobę: 22\s100\s20\s99$/,
  );
  await expect(claim.getByRole("link", { name: "112" })).toHaveAttribute("href", "tel:112");
});

test("[F61] a card's button for claims leads to the part of the policy's page that says whom to call", async ({
  person,
  page,
  signedIn,
}) => {
  await page.goto("/cp");
  await page
    .getByRole("link", { name: /^Zgłoś szkodę : ./ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/cp\/policy\/[^/#]+#szkoda$/);
  await expect(person.heading).toBeVisible();
  await expect(page.locator("#szkoda")).toBeInViewport();
  expect(signedIn.name).not.toBe("");
});

for (const id of ["nie-ma-takiej", "POL-100001"]) {
  test(`the policy ${id} is a page that doesn't exist, inside the portal`, async ({
    person,
    page,
    signedIn,
    expectedOnConsole,
  }) => {
    expectedOnConsole.push(/the server responded with a status of 404/);
    const answer = await page.goto(`/cp/policy/${id}`);
    await person.alive();
    expect(answer?.status()).toBe(404);
    await expect(page).toHaveTitle("Błąd: Nie ma takiej strony – Logowanie klienta | Tarnea Ubezpieczenia");
    await expect(person.heading).toHaveText("Nie ma takiej strony");
    await expect(page.getByRole("banner")).toContainText(signedIn.name);
    await expect(page.locator("html")).toHaveAttribute("lang", "pl");
  });
}

test("only with scripts there is a button that prints the page", async ({
  page,
  policy,
  javaScriptEnabled,
}) => {
  const print = policy.main.getByRole("button", { name: "Drukuj", exact: true });
  await expect(print).toHaveCount(javaScriptEnabled ? 1 : 0);
  if (!javaScriptEnabled) return;
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await print.click();
  await expect(page.locator("body")).toHaveAttribute("data-printed", "");
});
