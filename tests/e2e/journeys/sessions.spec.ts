import { Visitor } from "../../visitor";
import { expect, test } from "./journey";

const FIREFOX = {
  "User-Agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
};
const ON_FIREFOX = "Firefox 140, Windows";
const SESSIONS = { section: "Zalogowane urządzenia" };

test("[S40] a customer sees where they are signed in and ends the session in another browser", async ({
  visitor,
  visitorAt,
  portal,
  signedIn,
}) => {
  const other = new Visitor(portal, FIREFOX);
  await other.signIn(signedIn);
  await visitor.open("/cp/profile");
  await visitor.unfold("Zalogowane urządzenia");
  await visitor.offers("item", undefined, 2, SESSIONS);
  await visitor.offers("item", "To urządzenie", 1, SESSIONS);
  await visitor.offers("button", undefined, 0, { ...SESSIONS, item: "To urządzenie" });
  await visitor.press(`Wyloguj: urządzenie ${ON_FIREFOX}`, SESSIONS);
  await visitor.reads("Urządzenie zostało wylogowane.");
  await visitor.lands("/cp/profile");
  await visitor.offers("item", undefined, 1, SESSIONS);
  await visitor.reads("To urządzenie", SESSIONS);
  await visitor.offers("button", undefined, 0, SESSIONS);

  const told = await visitorAt(portal);
  await told.takeOver(other);
  await told.open("/cp");
  await told.lands("/home");
  await told.reads("Sesja wygasła. Zaloguj się ponownie.");
});

test("[S40] all other sessions end at once, and the one that ends them stays", async ({
  visitor,
  portal,
  signedIn,
}) => {
  const others = [new Visitor(portal, FIREFOX), new Visitor(portal)];
  for (const other of others) await other.signIn(signedIn);
  await visitor.open("/cp/profile");
  await visitor.unfold("Zalogowane urządzenia");
  await visitor.offers("item", undefined, 3, SESSIONS);
  await visitor.press("Wyloguj wszystkie pozostałe");
  await visitor.reads("Pozostałe urządzenia zostały wylogowane.");
  await visitor.offers("item", undefined, 1, SESSIONS);
  for (const other of others) expect((await other.get("/cp/profile")).header("Location")).toBe("/home");
  await visitor.open("/cp");
  await visitor.lands("/cp");
});

test("the activity shows what was done, when and on which device, and the page shows the previous sign-in", async ({
  visitor,
  portal,
  customer,
}) => {
  const activity = { section: "Ostatnia aktywność" };
  await new Visitor(portal, FIREFOX).signIn(customer, true);
  const mine = new Visitor(portal);
  await mine.signIn(customer, true);
  await visitor.takeOver(mine);
  await visitor.open("/cp/profile");
  await visitor.reads(/Poprzednie logowanie: (dziś|wczoraj)\s\d{1,2}:\d\d, Firefox\s140, Windows/);
  await visitor.reads(`••• ••• ${customer.phone.slice(-3)}`);
  await visitor.unfold("Ostatnia aktywność");
  for (const done of ["Dodano zaufane urządzenie", "Zalogowano"]) {
    const onFirefox = `${done}.*na urządzeniu: ${ON_FIREFOX}`.replaceAll(" ", String.raw`\s+`);
    await visitor.offers("item", new RegExp(onFirefox, "s"), 1, activity);
  }
  await visitor.unfold("Zaufane urządzenia");
  await visitor.reads("To urządzenie", { section: "Zaufane urządzenia" });

  const wrong = new Visitor(portal);
  await wrong.accept();
  await wrong.login({ ...customer, password: "Zle-Haslo-2026!" });
  await visitor.open("/cp/profile");
  await visitor.unfold("Ostatnia aktywność");
  await visitor.reads("Nieudana próba logowania", activity);
});

test("of many events the page shows the newest, and a link leads to all of them", async ({
  visitor,
  portal,
  customer,
}) => {
  const activity = { section: "Ostatnia aktywność" };
  const mine = new Visitor(portal);
  await mine.signIn(customer, true);
  for (let again = 0; again < 10; again += 1) {
    await mine.post("/home/logout");
    await mine.login(customer);
  }
  await visitor.takeOver(mine);
  await visitor.open("/cp/profile");
  await visitor.unfold("Ostatnia aktywność");
  await visitor.offers("item", undefined, 10, activity);
  await visitor.follow(/^Pokaż wszystkie zdarzenia/);
  await visitor.lands("/cp/profile?activity=all#activity");
  await visitor.reads("Pokaż tylko najnowsze", activity);
  await visitor.follow("Pokaż tylko najnowsze");
  // Its address leads into it, so the browser opens it.
  await visitor.offers("item", undefined, 10, activity);
});
