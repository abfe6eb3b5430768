import { JAN } from "../demo-customers";
import { Visitor } from "../visitor";
import { expect, profileButton, takeOver, test } from "./account";

const CHANGE = "Zmień nazwę użytkownika";

for (const [from, path, back] of [
  ["the profile", "/cp/profile", "/cp/profile"],
  ["confirm-login", "/home/confirm-login", "/cp"],
] as const) {
  test(`§8 015 from ${from}: a dialog, behind it nothing that can't be done, and back to where it began`, async ({
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
    await profileButton(page, CHANGE).click();
    const limit = page.getByRole("dialog", { name: "Nazwy nie można teraz zmienić" });
    await expect(limit).toContainText("najwyżej 3 razy w ciągu 30 dni");
    await expect(page.locator("main form button")).toHaveCount(0);
    await expect(page.locator("main")).not.toContainText("Najpierw zamów kod");
    await limit.getByRole("link", { name: "OK" }).click();
    await expect(page).toHaveURL(back);
    expect(await portal.messagesTo(JAN.phone)).toBe(messages);
  });
}
