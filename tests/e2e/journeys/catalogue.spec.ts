import { JAN } from "../../demo-customers";
import { Visitor } from "../../visitor";
import { expect, test } from "./journey";

for (const [from, path, back] of [
  ["the profile", "/cp/profile", "/cp/profile"],
  ["confirm-login", "/home/confirm-login", "/cp"],
] as const) {
  test(`§8 015 from ${from}: a dialog, behind it nothing that can't be done, and back to where it began`, async ({
    visitor,
    portal,
  }) => {
    const mine = new Visitor(portal);
    await mine.signIn(JAN);
    await visitor.takeOver(mine);
    await visitor.open(path);
    const messages = await portal.messagesTo(JAN.phone);
    await visitor.press("Zmień nazwę użytkownika");
    const limit = { dialog: "Nazwy nie można teraz zmienić" };
    await visitor.reads("najwyżej 3 razy w ciągu 30 dni", limit);
    for (const words of ["Wyślij kod autoryzacyjny", "Zapisz"]) await visitor.offers("button", words, 0);
    await visitor.lacks("Najpierw zamów kod");
    await visitor.follow("OK", limit);
    await visitor.lands(back);
    expect(await portal.messagesTo(JAN.phone)).toBe(messages);
  });
}
