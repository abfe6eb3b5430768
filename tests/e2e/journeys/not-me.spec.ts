import { Visitor } from "../../visitor";
import { expect, test } from "./journey";

const QUESTION = "Czy to Ty?";

test("[S40, S44, F53] “To nie ja” ends all other sessions and all trust, and asks for a new password", async ({
  visitor,
  portal,
  customer,
}) => {
  const [mine, other] = [new Visitor(portal), new Visitor(portal)];
  await mine.signIn(customer, true);
  await other.signIn(customer, true);
  await visitor.takeOver(mine);
  await visitor.open("/cp/profile");
  await visitor.unfold("Ostatnia aktywność");
  await visitor.follow(/^To nie ja \(Dodano zaufane urządzenie/);
  await visitor.lands("/cp/not-me");
  expect((await other.get("/cp")).status).toBe(200);

  await visitor.press("Zabezpiecz konto");
  await visitor.lands("/home/change-password");
  await visitor.reads("Inne urządzenia zostały wylogowane i żadne nie jest już zaufane.");
  await visitor.offers("button", "Wyślij kod autoryzacyjny", 1);
  expect((await other.get("/cp")).header("Location")).toBe("/home");
  await visitor.open("/cp/profile");
  await visitor.unfold("Zaufane urządzenia");
  await visitor.reads("Nie masz zaufanych urządzeń.");
});

test("[S164, F54] a stranger's sign-in and tries stand on My Policies and My Data until “To ja”", async ({
  visitor,
  portal,
  customer,
}) => {
  await visitor.signIn(customer);
  await visitor.signOut();
  const stranger = new Visitor(portal);
  await stranger.accept();
  for (let tries = 0; tries < 3; tries += 1)
    await stranger.login({ ...customer, password: "Zle-Haslo-2026!" });
  await stranger.signIn(customer, true);

  await visitor.open("/home");
  await visitor.login(customer);
  await visitor.lands("/cp");
  for (const here of ["/cp", "/cp/profile", "/cp"]) {
    await visitor.open(here);
    await visitor.reads(QUESTION);
    await visitor.reads("Zalogowano kodem SMS: ");
    await visitor.reads("Dodano zaufane urządzenie: ");
    await visitor.reads("3 nieudane próby logowania, ostatnia ");
    expect(await visitor.linkOf("To nie ja")).toBe("/cp/not-me");
  }
  await visitor.send("To ja");
  await visitor.lands("/cp");
  await visitor.lacks(QUESTION);
  await visitor.open("/cp/profile");
  await visitor.headed("Moje dane");
  await visitor.lacks(QUESTION);
});

test("[F54] the second sign-in on this device, after a slip of one's own, tells of nothing", async ({
  visitor,
  signedIn: customer,
  portal,
}) => {
  await visitor.open("/cp");
  await visitor.signInAgain({ ...customer, password: "Zle-Haslo-2026!" });
  await visitor.alerted("Nieprawidłowa nazwa użytkownika lub hasło.");
  await visitor.login(customer);
  await visitor.lands("/home/mfa");
  await visitor.confirm(await portal.lastCode(customer.phone));
  await visitor.lands("/cp");
  await visitor.lacks(QUESTION);
  await visitor.open("/cp/profile");
  await visitor.reads("Poprzednie logowanie:");
  await visitor.lacks(QUESTION);
});
