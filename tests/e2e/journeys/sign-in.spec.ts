import { ANNA, PIOTR } from "../../demo-customers";
import { expect, test } from "./journey";

test("from the cookie gate to the customer area, and the second time without a code", async ({
  visitor,
  portal,
}) => {
  await visitor.open("/cp/profile");
  await visitor.lands("/home/cookies");
  await visitor.headed("Zanim przejdziesz dalej");
  await visitor.press("Akceptuję i przechodzę dalej");
  await visitor.lands("/home");
  await visitor.titled("Logowanie klienta | Tarnea Ubezpieczenia");

  await visitor.login(ANNA);
  await visitor.lands("/home/mfa");
  await visitor.headed("Potwierdź, że to Ty");
  await visitor.isTurned("Dodaj to urządzenie do zaufanych", true);
  await visitor.reads("SMS z kodem wysłaliśmy o");
  await visitor.confirm(await portal.lastCode(ANNA.phone));

  await visitor.lands("/cp");
  await visitor.headed("Moje polisy");
  await visitor.reads(ANNA.policyNo);
  await visitor.reads(`Zalogowano: ${ANNA.name}`, { landmark: "header" });

  await visitor.follow("Moje dane", { landmark: "header" });
  await visitor.lands("/cp/profile");
  await visitor.headed("Moje dane");
  await visitor.unfold("Zaufane urządzenia");
  await visitor.reads(/Chrom\w*\s\d+, Linux/);
  await visitor.reads("Zaufane od");
  await visitor.follow("Kontakt", { landmark: "header" });
  await visitor.lands("/cp/contact");
  await visitor.offers("link", "22 100 20 30", 1);

  await visitor.signOut();
  await visitor.headed("Wylogowano z portalu");
  const messages = await portal.messagesTo(ANNA.phone);
  await visitor.follow("Zaloguj się ponownie");
  await visitor.lands("/home");
  await visitor.login(ANNA);
  await visitor.lands("/cp");
  expect(await portal.messagesTo(ANNA.phone)).toBe(messages);
});

test("a device the customer chose not to trust is asked for a code again", async ({ visitor, portal }) => {
  await visitor.reachCode(PIOTR);
  await visitor.turn("Dodaj to urządzenie do zaufanych", false);
  await visitor.confirm(await portal.lastCode(PIOTR.phone));
  await visitor.lands("/cp");
  await visitor.signInAgain(PIOTR);
  await visitor.lands("/home/mfa");
});

test("a visitor who is asked whether to sign out can say no", async ({ visitor }) => {
  await visitor.signIn(ANNA);
  await visitor.follow("Wyloguj się", { landmark: "header" });
  await visitor.follow("Wróć", { dialog: "Czy chcesz się wylogować?" });
  await visitor.offers("dialog", "Czy chcesz się wylogować?", 0, { landmark: "body" });
  await visitor.follow("Moje dane", { landmark: "header" });
  await visitor.lands("/cp/profile");
});
