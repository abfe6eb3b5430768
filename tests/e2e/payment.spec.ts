import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { ANNA, PIOTR, type RegisteredCustomer } from "../demo-customers";
import { Visitor } from "../visitor";
import { expect, takeOver, test as base } from "./account";

const CAR = "OC i AC – Toyota Yaris";

interface TestFixtures {
  /** Signs a customer of the demo in, in this browser, and opens My Policies. */
  readonly openPoliciesOf: (customer: RegisteredCustomer) => Promise<void>;
  /** Opens the page of Anna's car, whose premium is due in nine days. */
  readonly openCar: () => Promise<void>;
}

const test = base.extend<TestFixtures>({
  openPoliciesOf: ({ person, context, portal }, use) =>
    use(async (customer) => {
      const visitor = new Visitor(portal);
      await visitor.signIn(customer);
      await takeOver(context, portal, visitor);
      await person.open("/cp");
    }),
  openCar: ({ person, page, openPoliciesOf }, use) =>
    use(async () => {
      await openPoliciesOf(ANNA);
      await page.getByRole("link", { name: CAR, exact: true }).click();
      await expect(page).toHaveURL(/\/cp\/policy\/[^/]+$/);
      await person.alive();
    }),
});

/** The cards of policies. The news after a sign-in is a list, too, if another test has signed in meanwhile. */
function cardsOf(page: Page) {
  return page.locator("main li:has(h2)");
}

function fact(page: Page, term: string) {
  return page.locator("main dl > div").filter({ hasText: term }).locator("dd");
}

test("[F65] My Policies says what is due, the nearest first, and the card leads to paying", async ({
  person,
  page,
  openPoliciesOf,
}) => {
  await openPoliciesOf(ANNA);
  const cards = cardsOf(page);
  await expect(cards.locator("h2").first()).toHaveText(CAR);
  await expect(cards.first()).toContainText(/412,50\szł – zapłać do\s\d{1,2}\s\p{L}+/u);
  await expect(cards.filter({ hasText: "Ubezpieczenie mieszkania" })).toContainText(
    "Następna rata: 129,00\u00A0zł, do",
  );
  await expect(cards.filter({ hasText: "Ubezpieczenie podróży" })).toContainText("Opłacona do");
  await cards
    .first()
    .getByRole("link", { name: `Zapłać składkę : ${CAR}` })
    .click();
  await expect(page).toHaveURL(/\/cp\/policy\/[^/]+\/payment$/);
  await expect(person.heading).toHaveText("Zapłać składkę");
});

test("[F65] an overdue premium comes before everything else, below the sum of what is to be paid now", async ({
  person,
  page,
  openPoliciesOf,
}) => {
  await openPoliciesOf(PIOTR);
  const first = cardsOf(page).first();
  await expect(first).toContainText(/189,00\szł – termin minął \d+\s\p{L}+/u);
  const line = page.locator("h1 ~ *", { hasText: /^Do zapłaty teraz: 263,20\szł, 2\spolisy/ });
  await line.getByRole("link", { name: "Zapłać najpierw: OC – Škoda Octavia" }).click();
  await expect(page).toHaveURL(/\/cp\/policy\/[^/]+\/payment$/);
  await expect(person.heading).toHaveText("Zapłać składkę");
});

test("[F66] a policy's page leads to the details of a transfer, which are text, and to the data's day", async ({
  person,
  page,
  openCar,
}) => {
  await openCar();
  await page.getByRole("link", { name: "Zapłać składkę" }).click();
  await expect(page).toHaveURL(/\/payment$/);
  await person.alive();
  await expect(page).toHaveTitle("Składka za polisę POL-110001 – Portal klienta | Tarnea Ubezpieczenia");
  await expect(fact(page, "Numer rachunku")).toHaveText(/^PL\d\d( \d{4}){6}/);
  await expect(fact(page, "Odbiorca")).toContainText("Tarnea Ubezpieczenia");
  await expect(fact(page, "Tytuł przelewu")).toContainText("POL-110001");
  await expect(fact(page, "Kwota")).toContainText("412,50\u00A0zł");
  await expect(page.getByRole("img", { name: "Kod QR z danymi przelewu" })).toBeVisible();
  await expect(page.locator("main")).toContainText(/Stan na \d{1,2}\s\p{L}+\s\d{4}\./u);
  await page.getByRole("link", { name: "Polisa", exact: true }).click();
  await expect(person.heading).toHaveText(CAR);
});

test("[F66] with scripts each detail of the transfer has a button that copies it as a bank's form takes it", async ({
  person,
  page,
  context,
  openCar,
  javaScriptEnabled,
}) => {
  await openCar();
  await page.getByRole("link", { name: "Zapłać składkę" }).click();
  await expect(page).toHaveURL(/\/payment$/);
  await person.alive();
  const buttons = page.locator("main").getByRole("button", { name: /^Kopiuj/ });
  await expect(buttons).toHaveCount(javaScriptEnabled ? 4 : 0);
  if (!javaScriptEnabled) return;
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
  await expect(page.locator("main").getByText("Skopiowano.")).toHaveCount(0);
});

test("[F66] the code of a transfer is saved as a picture by a plain link, for the bank's app on the same phone", async ({
  page,
  openCar,
}) => {
  await openCar();
  await page.getByRole("link", { name: "Zapłać składkę" }).click();
  const link = page.getByRole("link", { name: "Zapisz obraz kodu" });
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toBe("kod-przelewu.png");
  const file = readFileSync(await download.path());
  expect(file.subarray(1, 4).toString()).toBe("PNG");
  const answer = await page.request.get((await link.getAttribute("href")) ?? "");
  expect(answer.headers()).toMatchObject({ "content-type": "image/png", "cache-control": "no-store" });
});

test("[F67] a link on a policy's page downloads its days for a calendar", async ({ page, openCar }) => {
  await openCar();
  const address = new URL(page.url()).pathname;
  const link = page.getByRole("link", { name: "Dodaj terminy do kalendarza" });
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  expect(download.suggestedFilename()).toBe("terminy-polisy.ics");
  const file = readFileSync(await download.path(), "utf8");
  expect(file).toContain(`SUMMARY:Termin płatności składki: ${CAR}\r\n`);
  expect(file).toContain(`SUMMARY:Koniec ochrony: ${CAR}\r\n`);
  expect(file).not.toMatch(/POL-110001|412|Anna/);
  const answer = await page.request.get(`${address}/calendar.ics`);
  expect(answer.headers()).toMatchObject({
    "content-type": "text/calendar; charset=utf-8",
    "cache-control": "no-store",
  });
});

test("[F68] a car's policy is shown at the roadside, and says that it doesn't replace the policy", async ({
  person,
  page,
  openCar,
}) => {
  await openCar();
  await page.getByRole("link", { name: "Dane polisy na drogę" }).click();
  await expect(page).toHaveURL(/\/proof$/);
  await expect(person.heading).toHaveText(CAR);
  const main = page.locator("main");
  for (const said of ["Anna Nowak", "POL-110001", "To informacja o ubezpieczeniu. Nie zastępuje polisy."])
    await expect(main).toContainText(said);
  await expect(main.getByRole("link", { name: /^22\s100\s20\s99$/ })).toHaveAttribute(
    "href",
    "tel:+48221002099",
  );
});

test("a policy without premium data, and one of no car, have no such pages", async ({
  person,
  page,
  policy,
  expectedOnConsole,
}) => {
  await expect(policy.main).not.toContainText(/Składka|Zapłać|na drogę/);
  expectedOnConsole.push(/the server responded with a status of 404/);
  const address = new URL(page.url()).pathname;
  for (const part of ["payment", "proof"]) {
    const answer = await page.goto(`${address}/${part}`);
    await person.alive();
    expect(answer?.status(), part).toBe(404);
    await expect(person.heading).toHaveText("Nie ma takiej strony");
  }
});
