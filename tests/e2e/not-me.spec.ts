import { Visitor } from "../visitor";
import { expect, openPart, takeOver, test } from "./account";

test("[S40, S44, F53] “To nie ja” ends all other sessions and all trust, and asks for a new password", async ({
  person,
  page,
  portal,
  customer,
  context,
}) => {
  const [mine, other] = [new Visitor(portal), new Visitor(portal)];
  await mine.signIn(customer, true);
  await other.signIn(customer, true);
  await takeOver(context, portal, mine);
  await person.open("/cp/profile");
  const activity = await openPart(page, "Ostatnia aktywność");
  await activity
    .getByRole("link", { name: /^To nie ja \(Dodano zaufane urządzenie/ })
    .first()
    .click();
  await expect(page).toHaveURL("/cp/not-me");
  await person.alive();
  expect((await other.get("/cp")).status).toBe(200);

  await person.send(() => person.button("Zabezpiecz konto").click());
  await expect(page).toHaveURL("/home/change-password");
  await expect(page.locator("main")).toContainText(
    "Inne urządzenia zostały wylogowane i żadne nie jest już zaufane.",
  );
  await expect(person.button("Wyślij kod autoryzacyjny")).toBeVisible();
  expect((await other.get("/cp")).header("Location")).toBe("/home");
  await person.open("/cp/profile");
  await expect(
    (await openPart(page, "Zaufane urządzenia")).getByText("Nie masz zaufanych urządzeń."),
  ).toBeVisible();
});

test("[F54] after a sign-in the first page tells of refused tries and new devices since the one before, once", async ({
  person,
  page,
  portal,
  customer,
}) => {
  const before = new Visitor(portal);
  await before.signIn(customer, true);
  const wrong = new Visitor(portal);
  await wrong.accept();
  for (let tries = 0; tries < 2; tries += 1) await wrong.login({ ...customer, password: "Zle-Haslo-2026!" });

  await person.signIn(customer);
  const news = page.locator("main section").filter({ hasText: "Od poprzedniego logowania" });
  await expect(news).toContainText("Nowe zaufane urządzenie: ");
  await expect(news).toContainText("2 nieudane próby logowania, ostatnia ");
  await expect(news.getByRole("link", { name: "To nie ja" })).toHaveAttribute("href", "/cp/not-me");
  await person.open("/cp");
  await expect(news).toHaveCount(0);
  await person.open("/cp/profile");
  await expect(news).toContainText("2 nieudane próby logowania");
  await person.send(() => news.getByRole("button", { name: "To ja" }).click());
  await expect(page).toHaveURL("/cp/profile");
  await expect(news).toHaveCount(0);
  await person.open("/cp/profile");
  await expect(person.heading).toHaveText("Moje dane");
  await expect(news).toHaveCount(0);
});

test("[F54] the second sign-in on this device, after a slip of one's own, tells of nothing", async ({
  person,
  customer,
  page,
}) => {
  await person.signIn(customer);
  await person.signOut();
  await person.open("/home");
  await person.sendRefused(() => person.login({ ...customer, password: "Zle-Haslo-2026!" }));
  await person.alive();
  await person.login(customer);
  await expect(page).toHaveURL("/cp");
  await expect(page.getByText("Od poprzedniego logowania")).toHaveCount(0);
  await person.open("/cp/profile");
  await expect(page.getByText("Poprzednie logowanie:")).toBeVisible();
  await expect(page.getByText("Od poprzedniego logowania")).toHaveCount(0);
});
