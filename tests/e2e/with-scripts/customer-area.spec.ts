import type { Page } from "@playwright/test";
import { ANNA } from "../../demo-customers";
import { Visitor } from "../../visitor";
import { expect, openPart, test } from "../account";

test("[C-18, F55] a trusted device is removed, and the profile says so where the focus is", async ({
  person,
  page,
  portal,
  customer,
}) => {
  const visitor = new Visitor(portal);
  await visitor.signIn(customer, true);
  await new Visitor(portal).signIn(customer, true);
  await person.takeOver(visitor);
  await person.open("/cp/profile");
  await openPart(page, "Zaufane urządzenia");
  const one = page.locator("main").getByRole("button", { name: /^Usuń (?!wszystkie)/ });
  await expect(one).toHaveCount(2);
  await one.first().press("Enter");
  await expect(page.getByText("Urządzenie nie jest już zaufane.")).toBeInViewport();
  await expect(person.heading).toBeFocused();
  // Still open, because the customer has just changed something in it.
  await expect(one).toHaveCount(1);
});

test("[S56] signing out empties the browser's storage, and keeps the consent and the trust in the device", async ({
  person,
  page,
  portal,
  customer,
}) => {
  const visitor = new Visitor(portal);
  await visitor.signIn(customer, true);
  await person.takeOver(visitor);
  await person.open("/cp");
  const stored = () => page.evaluate(() => localStorage.length);
  await page.evaluate(() => {
    localStorage.setItem("left", "behind");
  });
  expect(await stored()).toBe(1);
  const answer = page.waitForResponse(
    (each) => each.request().method() === "POST" && new URL(each.url()).pathname === "/home/logout",
  );
  await person.signOut();
  expect(await (await answer).headerValue("Clear-Site-Data")).toBe('"cache", "storage"');
  expect(await stored()).toBe(0);
  await person.open("/home");
  await person.login(customer);
  await expect(page).toHaveURL("/cp");
});

function fact(page: Page, term: string) {
  return page.locator("main dl > div").filter({ hasText: term }).locator("dd");
}

test("[F66] each detail of the transfer has a button that copies it as a bank's form takes it", async ({
  person,
  page,
  context,
}) => {
  await page.clock.install();
  await person.signIn(ANNA);
  await person.follow("OC i AC – Toyota Yaris");
  await person.lands(/^\/cp\/policy\/[^/]+$/);
  await page.getByRole("link", { name: "Zapłać składkę" }).click();
  await expect(page).toHaveURL(/\/payment$/);
  await person.alive();
  const buttons = page.locator("main").getByRole("button", { name: /^Kopiuj/ });
  await expect(buttons).toHaveCount(4);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  for (const [detail, copied] of [
    ["Numer rachunku", /^PL\d{26}$/],
    ["Odbiorca", /^Tarnea Ubezpieczenia$/],
    ["Tytuł przelewu", /^POL-110001$/],
    ["Kwota", /^412,50$/],
  ] as const) {
    const button = page.getByRole("button", { name: `Kopiuj : ${detail}` });
    await button.scrollIntoViewIfNeeded();
    const before = await button.boundingBox();
    await button.click();
    await expect(fact(page, detail).getByRole("status")).toHaveText("Skopiowano.");
    // The clipboard holds one value, so one message says so. Nothing moves under the pointer.
    await expect(page.locator("main").getByText("Skopiowano.")).toHaveCount(1);
    expect(await button.boundingBox()).toEqual(before);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(copied);
  }
  // A second press of one button is announced, too: its message goes first.
  const texts = await page.evaluate(() => {
    const status = [...document.querySelectorAll("main [role=status]")].find(
      ({ textContent }) => textContent,
    );
    const seen: (string | null)[] = [];
    new MutationObserver(() => seen.push(status?.textContent ?? null)).observe(status ?? document, {
      childList: true,
    });
    status?.parentElement?.querySelector("button")?.click();
    return new Promise<typeof seen>((resolve) => {
      const wait = () => (seen.length < 2 ? requestAnimationFrame(wait) : resolve(seen));
      wait();
    });
  });
  expect(texts).toEqual(["", "Skopiowano."]);
  await page.clock.fastForward("01:00");
  await expect(page.locator("main").getByText("Skopiowano.")).toHaveCount(0);
});

test("a press anywhere on a policy's card leads to its page, which has a button that prints it", async ({
  person,
  page,
  policy,
}) => {
  await expect(person.heading).toHaveText(policy.name);
  const print = policy.main.getByRole("button", { name: "Drukuj", exact: true });
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute("data-printed", "");
  });
  await print.click();
  await expect(page.locator("body")).toHaveAttribute("data-printed", "");
});
