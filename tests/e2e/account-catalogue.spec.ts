import { JAN } from "../demo-customers";
import { Visitor } from "../visitor";
import { expect, profileButton, takeOver, test } from "./account";

for (const [from, path, button] of [
  ["the profile", "/cp/profile", "Zmień nazwę użytkownika"],
  ["confirm-login", "/home/confirm-login", "Zmień nazwę użytkownika"],
] as const) {
  test(`§8 015 after three username changes, from ${from}: a dialog, and on to the portal`, async ({
    person,
    page,
    context,
    portal,
  }) => {
    const visitor = new Visitor(portal);
    await visitor.signIn(JAN);
    await takeOver(context, portal, visitor);
    await person.open(path);
    const messages = await portal.messagesTo(JAN.phone);
    await profileButton(page, button).click();
    const limit = page.getByRole("dialog", { name: "Nazwy nie można teraz zmienić" });
    await expect(limit).toContainText("najwyżej 3 razy w ciągu 30 dni");
    await limit.getByRole("link", { name: "OK" }).click();
    await expect(page).toHaveURL("/cp");
    expect(await portal.messagesTo(JAN.phone)).toBe(messages);
  });
}
