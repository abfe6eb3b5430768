import { ANNA, PIOTR } from "../../demo-customers";
import { Visitor } from "../../visitor";
import { test } from "./journey";

test("[F15] a sign-in from an old page says whose account is open, and the account can be switched", async ({
  visitor,
  portal,
}) => {
  await visitor.arrive();
  // Anna signs in while Piotr's page stays as it is.
  const anna = new Visitor(portal);
  await anna.signIn(ANNA);
  await visitor.takeOver(anna);
  await visitor.login(PIOTR);
  await visitor.lands("/home/switch-account");
  await visitor.headed("Inne konto jest otwarte");
  await visitor.reads(`W tej przeglądarce jest otwarte konto: ${ANNA.name}.`);
  await visitor.follow("Przejdź do tego konta");
  await visitor.lands("/cp");
  await visitor.reads(ANNA.policyNo);

  await visitor.open("/home/switch-account");
  await visitor.press("Wyloguj się i zmień konto");
  await visitor.lands("/home");
  await visitor.holds("username", PIOTR.username);
  await visitor.holds("password", "");
  await visitor.type("password", "Zle-Haslo-2026!");
  await visitor.send("Zaloguj się");
  await visitor.holds("username", PIOTR.username);
  await visitor.type("password", PIOTR.password);
  await visitor.press("Zaloguj się");
  await visitor.lands("/home/mfa");
});
