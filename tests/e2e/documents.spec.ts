import { readFileSync } from "node:fs";
import type { Locator, Page } from "@playwright/test";
import { PIOTR, PIOTRS_DOCUMENT_PASSWORD } from "../demo-customers";
import { textOf } from "../pdf-tools";
import { Visitor } from "../visitor";
import { expect, takeOver, test } from "./account";

const DOCUMENTS = "Hasla-Dokumentow-1!";
const CONFIRMATION = 'a[href^="/cp/document/confirmation-"]';

/** The text of the file that a link leads to. @throws Error if the password doesn't open it */
async function downloaded(page: Page, link: Locator, password: string) {
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  const file = readFileSync(await download.path());
  return { name: download.suggestedFilename(), text: textOf(file, password) };
}

test("a customer without a document password is led to set one, and back to the document", async ({
  person,
  page,
  portal,
  signedIn,
  policy,
}) => {
  await policy.main.locator(CONFIRMATION).click();
  await expect(page).toHaveURL("/home/create-document-password");
  await person.alive();
  await expect(page.locator("main")).toContainText("Ten plik jest chroniony hasłem do dokumentów.");
  await person.send(() => person.button("Wyślij kod autoryzacyjny").click());
  await person.alive();
  await person.field("authorizationCode").fill(await portal.lastCode(signedIn.phone));
  await person.field("password").fill(DOCUMENTS);
  await person.field("passwordRepeat").fill(DOCUMENTS);
  await person.button("Zapisz").click();
  await expect(page).toHaveURL("/cp/profile?document-password-save-result=create");
  await person.alive();
  await expect(page.locator("main")).toContainText("Hasło do dokumentów zostało utworzone.");
  const link = page.getByRole("link", { name: "Pobierz dokument, na który czekasz" });
  const { name, text } = await downloaded(page, link, DOCUMENTS);
  expect(name).toBe(`Potwierdzenie ubezpieczenia ${signedIn.policyNo}.pdf`);
  expect(text).toContain(signedIn.policyNo);
  await expect(page).toHaveURL("/cp/profile?document-password-save-result=create");
});

test("a document password begun on a policy's page leads back to that page", async ({
  person,
  page,
  portal,
  signedIn,
  policy,
}) => {
  const { pathname } = new URL(page.url());
  await policy.main.getByRole("link", { name: "Utwórz hasło do dokumentów" }).click();
  await expect(page).toHaveURL("/home/create-document-password");
  await expect(page.locator("main")).not.toContainText("Ten plik jest chroniony");
  await person.send(() => person.button("Wyślij kod autoryzacyjny").click());
  await person.alive();
  await person.field("authorizationCode").fill(await portal.lastCode(signedIn.phone));
  await person.field("password").fill(DOCUMENTS);
  await person.field("passwordRepeat").fill(DOCUMENTS);
  await person.button("Zapisz").click();
  await expect(page).toHaveURL("/cp/profile?document-password-save-result=create");
  await page.getByRole("link", { name: "Wróć do polisy" }).click();
  await expect(page).toHaveURL(pathname);
});

test("documents open with the document password and in no other way; public terms need none", async ({
  person,
  page,
  context,
  portal,
}) => {
  const visitor = new Visitor(portal);
  await visitor.signIn(PIOTR);
  await takeOver(context, portal, visitor);
  await person.open("/cp");
  await page.getByRole("link", { name: "OC – Škoda Octavia", exact: true }).click();
  await expect(page).toHaveURL(/\/cp\/policy\//);
  await person.alive();
  const links = page.locator('main a[href^="/cp/document/"]');
  const { text } = await downloaded(page, links.first(), PIOTRS_DOCUMENT_PASSWORD);
  expect(text).toContain("Piotr Wiśniewski");
  await expect(downloaded(page, links.first(), DOCUMENTS)).rejects.toThrow(/Incorrect password/);
  const terms = page.locator("main li", { hasText: "Ogólne warunki" }).locator("a");
  expect((await downloaded(page, terms.first(), "")).name).toMatch(/\.pdf$/);
});

test("a document asked for after the session has ended leads to the sign-in page, not to a file", async ({
  page,
  context,
  policy,
}) => {
  await context.clearCookies({ name: /session/ });
  await policy.main.locator(CONFIRMATION).click();
  await expect(page).toHaveURL("/home");
});
