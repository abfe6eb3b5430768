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

test("[S164, F54] a stranger's sign-in and tries stand on My Policies and My Data until “To ja”", async ({
  person,
  page,
  portal,
  customer,
}) => {
  await person.signIn(customer);
  await person.signOut();
  const stranger = new Visitor(portal);
  await stranger.accept();
  for (let tries = 0; tries < 3; tries += 1)
    await stranger.login({ ...customer, password: "Zle-Haslo-2026!" });
  await stranger.signIn(customer, true);

  await person.open("/home");
  await person.login(customer);
  await expect(page).toHaveURL("/cp");
  await person.alive();
  const news = page.locator("main section").filter({ hasText: "Czy to Ty?" });
  for (const here of ["/cp", "/cp/profile", "/cp"]) {
    await person.open(here);
    await expect(news).toContainText("Zalogowano kodem SMS: ");
    await expect(news).toContainText("Dodano zaufane urządzenie: ");
    await expect(news).toContainText("3 nieudane próby logowania, ostatnia ");
    await expect(news.getByRole("link", { name: "To nie ja" })).toHaveAttribute("href", "/cp/not-me");
  }
  await person.send(() => news.getByRole("button", { name: "To ja" }).click());
  await expect(page).toHaveURL("/cp");
  await expect(news).toHaveCount(0);
  await person.open("/cp/profile");
  await expect(person.heading).toHaveText("Moje dane");
  await expect(news).toHaveCount(0);
});

test("[F54] the second sign-in on this device, after a slip of one's own, tells of nothing", async ({
  person,
  signedIn: customer,
  page,
  portal,
}) => {
  await person.open("/cp");
  await person.signOut();
  await person.open("/home");
  await person.sendRefused(() => person.login({ ...customer, password: "Zle-Haslo-2026!" }));
  await person.alive();
  await person.login(customer);
  await person.lands("/home/mfa");
  await person.confirm(await portal.lastCode(customer.phone));
  await person.lands("/cp");
  await expect(page.getByText("Czy to Ty?")).toHaveCount(0);
  await person.open("/cp/profile");
  await expect(page.getByText("Poprzednie logowanie:")).toBeVisible();
  await expect(page.getByText("Czy to Ty?")).toHaveCount(0);
});
