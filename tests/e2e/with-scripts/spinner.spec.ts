import type { Request } from "@playwright/test";
import { JAN } from "../../demo-customers";
import { expect, test } from "../fixtures";
import { effectsHaveRun, holdBack, spinnerOf as spinner, stopClock } from "../requests-of-a-page";

const WAIT = "Proszę czekać…";

test("§7 [C-14, C-18] while a request runs: the spinner at once, a word later, and the focus stays", async ({
  person,
  page,
}) => {
  await person.arrive();
  await expect(spinner(page)).toHaveCount(0);
  const letThrough = await holdBack(page);
  await person.field("username").fill(JAN.username);
  await person.field("password").fill(JAN.password);
  await person.field("password").press("Enter");
  await expect(spinner(page)).toHaveCSS("animation", /appear/);
  await expect(spinner(page)).toHaveCSS("animation-duration", "0.3s");
  await expect(page.locator("main")).toHaveAttribute("aria-busy", "true");
  await expect(spinner(page).getByRole("status")).toHaveText(WAIT);
  await expect(person.field("password")).toBeFocused();
  await expect(person.button("Trwa logowanie…")).toHaveAttribute("aria-disabled", "true");

  await letThrough();
  await expect(page).toHaveURL("/home/mfa");
  await expect(spinner(page)).toHaveCount(0);
  await expect(page.locator("main")).not.toHaveAttribute("aria-busy");
  await expect(page.getByText(WAIT)).toHaveCount(0);
});

test("§9 it is removed 100 ms after the last request", async ({ person, page }) => {
  await page.clock.install();
  await person.arrive();
  await stopClock(page);
  const letThrough = await holdBack(page);
  await person.login({ username: "nie.ma.tutaj", password: "Zle-Haslo-1!" });
  await expect(spinner(page)).toHaveCount(1);
  await letThrough();
  await expect(person.alert).toBeVisible();
  await page.clock.runFor(99);
  await effectsHaveRun(page);
  await expect(spinner(page)).toHaveCount(1);
  await page.clock.runFor(1);
  await expect(spinner(page)).toHaveCount(0);
});

test("[C-53] visitors who prefer less motion get only the words", async ({ person, page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await person.arrive();
  const letThrough = await holdBack(page);
  await page.getByRole("contentinfo").getByRole("link", { name: "English" }).click();
  await expect(spinner(page).getByRole("status")).toHaveText(WAIT);
  await expect(page.locator(".spinner-ring")).toBeHidden();
  // No sign-in is under way.
  await expect(person.button("Zaloguj się")).not.toHaveAttribute("aria-disabled");
  await letThrough();
  await expect(person.heading).toHaveText("Sign in");
});

/** Longer than a slow page takes, in ms. */
const SLOW_MS = 25_000;

/** Makes timers that are due by then run at once, and later ones never. */
function hurry(by: number): void {
  const start = window.setTimeout.bind(window);
  Reflect.set(window, "setTimeout", (run: () => void, ms = 0) => (ms > by ? 0 : start(run, 0)));
}

for (const [how, breaksScripts] of [
  ["scripts", false],
  ["the browser itself, after scripts failed,", true],
] as const)
  test(`§4 a form sent by ${how} is held until its page leaves, however long the next one takes`, async ({
    person,
    page,
    expectedOnConsole,
  }) => {
    expectedOnConsole.push(/net::ERR_/);
    await page.addInitScript(hurry, SLOW_MS);
    await person.arrive();
    if (breaksScripts) {
      const isFetch = (request: Request) => request.resourceType() === "fetch";
      await page.route("**", (route) => (isFetch(route.request()) ? route.abort() : route.fallback()));
      await person.login(JAN);
      await expect(person.alert).toBeVisible();
    }
    // An answer without a page keeps this one, as one does that is on its way.
    await page.route("**", (route) =>
      route.request().isNavigationRequest() ? route.fulfill({ status: 204 }) : route.fallback(),
    );
    const left = page.waitForResponse((response) => response.request().isNavigationRequest());
    await person.login(JAN);
    await left;
    await effectsHaveRun(page);
    const posts = await person.countPosts(async () => {
      await expect(person.button("Trwa logowanie…")).toHaveAttribute("aria-disabled", "true");
      await expect(spinner(page)).toHaveCount(1);
      await person.field("password").press("Enter");
      await effectsHaveRun(page);
    });
    expect(posts).toBe(0);
    await page.unrouteAll();
    await page.keyboard.press("Escape");
    await person.button("Zaloguj się").click();
    await expect(page).toHaveURL("/home/mfa");
  });

test("§2 a link shows the spinner until the next page is there; downloads, phones and other tabs don't", async ({
  person,
  page,
}) => {
  await person.arrive();
  const footer = page.getByRole("contentinfo");
  await page.evaluate(() => {
    document.addEventListener("click", (event) => {
      if (document.documentElement.dataset["stays"] === "yes") event.preventDefault();
    });
    document.documentElement.dataset["stays"] = "yes";
  });
  await footer.getByRole("link", { name: /PDF/ }).first().click();
  await footer.locator("a[href^='tel:']").first().click();
  await footer.locator("a[target]").first().click();
  await expect(spinner(page)).toHaveCount(0);
  const isBusy = await page.getByRole("link", { name: "Nie pamiętam hasła" }).evaluate((link) => {
    delete document.documentElement.dataset["stays"];
    (link as HTMLElement).click();
    return document.querySelector(".spinner") !== null;
  });
  expect(isBusy).toBe(true);
  await expect(page).toHaveURL("/home/reset-password-init");
  await expect(spinner(page)).toHaveCount(0);
});
