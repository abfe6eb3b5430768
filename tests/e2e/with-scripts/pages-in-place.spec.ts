import type { Page } from "@playwright/test";
import { JAN } from "../../demo-customers";
import { expect, test } from "../fixtures";
import type { Person } from "../person";
import { spinnerOf } from "../requests-of-a-page";

const NOT_THERE = "Nie ma takiej strony";

test.beforeEach(({ expectedOnConsole }) => {
  expectedOnConsole.push(/the server responded with a status of 404/);
});

/** From now on each form is answered by a page without the form, as during maintenance. */
async function answerWithPage(page: Page): Promise<void> {
  const lost = await page.context().request.get("/nie-ma-takiej-strony");
  const answer = { status: 404, headers: lost.headers(), body: await lost.text() };
  await page.route("**", (route) =>
    route.request().method() === "POST" ? route.fulfill(answer) : route.fallback(),
  );
}

async function showsForm(person: Person, page: Page): Promise<void> {
  await expect(person.heading).toHaveText("Zaloguj się");
  await expect(spinnerOf(page)).toHaveCount(0);
  await expect(page.locator("main")).not.toHaveAttribute("aria-busy");
  await expect(person.button("Zaloguj się")).not.toHaveAttribute("aria-disabled");
}

test("Back from a page shown in place brings back the form, with nothing under way; Forward the page", async ({
  person,
  page,
}) => {
  await person.arrive();
  await answerWithPage(page);
  await person.login(JAN);
  await expect(person.heading).toHaveText(NOT_THERE);
  await page.goBack();
  await showsForm(person, page);
  await expect(person.field("password")).toHaveValue(JAN.password);
  await page.goForward();
  await expect(person.heading).toHaveText(NOT_THERE);
  await page.goBack();
  await page.unrouteAll();
  await person.button("Zaloguj się").click();
  await expect(page).toHaveURL("/home/mfa");
});

test("each of two pages shown in place one after the other has its own place in the history", async ({
  person,
  page,
}) => {
  await person.signIn(JAN);
  await person.open("/home/change-password");
  const heading = await person.heading.innerText();
  await answerWithPage(page);
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(person.heading).toHaveText(NOT_THERE);
  await page.goBack();
  await expect(person.heading).toHaveText(heading);
  await page.getByRole("link", { name: "Przejdź do treści" }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#/);
  await expect(person.heading).toHaveText(heading);
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(person.heading).toHaveText(NOT_THERE);
  for (let step = 0; step < 2; step += 1) {
    await page.goBack();
    await expect(person.heading).toHaveText(heading);
  }
});

test("after a reload, Back and Forward show what the server says, never a page of before", async ({
  person,
  page,
}) => {
  await person.arrive();
  await answerWithPage(page);
  await person.login(JAN);
  await expect(person.heading).toHaveText(NOT_THERE);
  await page.reload();
  await person.alive();
  await showsForm(person, page);
  await person.login(JAN);
  await expect(person.heading).toHaveText(NOT_THERE);
  await page.goBack();
  await showsForm(person, page);
  const asked = page.waitForRequest((request) => request.isNavigationRequest());
  await page.goBack();
  await asked;
  await person.alive();
  await showsForm(person, page);
  // It is the server's page, not one from memory.
  await expect(person.field("password")).toHaveValue("");
});
