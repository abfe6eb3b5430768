import { ANNA } from "../../demo-customers";
import { startPortal } from "../../portal";
import { expect, test } from "./journey";

const LOST = "Nie masz dostępu do telefonu?";

for (const [screen, reach] of [
  ["the code of a sign-in", "sign-in"],
  ["a reset", "reset"],
] as const) {
  test(`a customer without a phone reads whom to call, at ${screen}`, async ({ visitor, customer }) => {
    await visitor.arrive();
    if (reach === "sign-in") {
      await visitor.login(customer);
      await visitor.lands("/home/mfa");
    } else {
      await visitor.open("/home/reset-password-init");
      await visitor.type("username", customer.username);
      await visitor.press("Wyślij kod autoryzacyjny");
      await visitor.lands("/home/reset-password-submit");
    }
    await visitor.unfold(LOST);
    await visitor.reads(/Zadzwoń na\sinfolinię: 22\s100\s20\s30 lub 800\s100\s200/);
    await visitor.reads("Przygotuj numer polisy i dokument tożsamości");
  });
}

test("before cookies are accepted the footer leads to the legal pages and the accessibility statement", async ({
  visitor,
}) => {
  await visitor.open("/home/cookies");
  for (const link of ["Regulamin portalu", "Polityka plików cookies", "Polityka prywatności"])
    await visitor.reads(link, { landmark: "footer" });
  await visitor.follow("Dostępność", { landmark: "footer" });
  await visitor.lands("/home/accessibility");
  await visitor.headed("Dostępność portalu");
  await visitor.reads("WCAG 2.2");
  expect(await visitor.cookieNames()).toEqual([]);
  await visitor.follow("English", { landmark: "footer" });
  await visitor.headed("Accessibility of the portal");
});

test("with TRUSTED_DEVICES=off no page offers trust, and each sign-in asks for a code", async ({
  visitorAt,
}) => {
  const portal = await startPortal({ env: { TRUSTED_DEVICES: "off" } });
  const visitor = await visitorAt(portal);
  await visitor.reachCode(ANNA);
  await visitor.reads("przy każdym logowaniu prosimy o kod");
  await visitor.lacks("Dodaj to urządzenie do zaufanych");
  await visitor.confirm(await portal.lastCode(ANNA.phone));
  await visitor.lands("/cp");
  await visitor.open("/cp/profile");
  await visitor.lacks("Zaufane urządzenia");
  await visitor.signInAgain(ANNA);
  await visitor.lands("/home/mfa");
  await portal.stop();
});
