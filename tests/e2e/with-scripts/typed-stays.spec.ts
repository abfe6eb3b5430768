import { NEXT_PASSWORD } from "../../new-account";
import { wrongCode } from "../../portal";
import { expect, test } from "../account";

/** The changes of a translator and a darkening extension: each text in elements of their own, attributes everywhere. */
function meddle(): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode()) if (texts.currentNode instanceof Text) found.push(texts.currentNode);
  for (const text of found) {
    if (text.data.trim() === "") continue;
    // A plain string, since the element is deprecated.
    const tag: string = "font";
    const [outer, inner] = [document.createElement(tag), document.createElement(tag)];
    text.replaceWith(outer);
    outer.append(inner);
    inner.append(text);
  }
  for (const element of document.querySelectorAll("main *")) element.setAttribute("data-darkreader", "");
  document.body.prepend(document.createElement("extension-bar"));
}

test("a refusal keeps typed passwords and the code in their fields, and one new digit is enough", async ({
  person,
  page,
  standAt,
}) => {
  const code = await standAt("set-password");
  const wrong = wrongCode(code);
  for (const [name, value] of [
    ["authorizationCode", wrong],
    ["newPassword", NEXT_PASSWORD],
    ["newPasswordRepeat", NEXT_PASSWORD],
  ] as const)
    await person.field(name).fill(value);
  await person.sendRefused(() => person.button("Zapisz").click());
  await expect(person.field("authorizationCode")).toHaveValue(wrong);
  await expect(person.field("newPassword")).toHaveValue(NEXT_PASSWORD);
  await expect(person.field("newPasswordRepeat")).toHaveValue(NEXT_PASSWORD);
  expect(await page.content()).not.toContain(NEXT_PASSWORD);

  await person.field("authorizationCode").fill(code);
  await person.button("Zapisz").click();
  await expect(page).toHaveURL("/home/confirm-login");
});

test("[F31] a code sent again keeps typed passwords; its field is empty and has the focus", async ({
  person,
  page,
  portal,
  newcomer,
  standAt,
}) => {
  await standAt("set-password");
  await person.field("authorizationCode").fill("12");
  await person.field("newPassword").fill(NEXT_PASSWORD);
  await person.field("newPasswordRepeat").fill(NEXT_PASSWORD);
  const resend = person.button("Wyślij kod ponownie");
  await expect(resend).not.toHaveAttribute("aria-disabled", "true");
  await person.sending(() => resend.click());
  await expect(person.field("authorizationCode")).toHaveValue("");
  await expect(person.field("authorizationCode")).toBeFocused();
  await expect(person.field("newPassword")).toHaveValue(NEXT_PASSWORD);
  await person.field("authorizationCode").fill(await portal.lastCode(newcomer.phone));
  await person.button("Zapisz").click();
  await expect(page).toHaveURL("/home/confirm-login");
});

test("[F9] Back after a refusal in a session leads to a page of the portal, never to the browser's error page", async ({
  person,
  page,
  standAt,
}) => {
  const code = await standAt("change-password");
  const heading = await person.heading.textContent();
  await person.field("authorizationCode").fill(wrongCode(code));
  await person.field("newPassword").fill(NEXT_PASSWORD);
  await person.field("newPasswordRepeat").fill(NEXT_PASSWORD);
  await person.sendRefused(() => person.button("Zapisz").click());
  await page.goto("/cp/contact");
  await page.goBack();
  await expect(person.heading).toHaveText(heading ?? "");
  await expect(person.field("newPassword")).toHaveValue("");
  await page.goForward();
  await expect(page).toHaveURL("/cp/contact");
});

test("what a translator or an extension does to a page costs nothing that was typed", async ({
  person,
  page,
  standAt,
}) => {
  await page.addInitScript(`document.addEventListener("DOMContentLoaded", ${meddle.toString()})`);
  const code = await standAt("set-password");
  await person.field("newPassword").fill(NEXT_PASSWORD);
  await page.evaluate(meddle);
  await person.field("authorizationCode").fill(wrongCode(code));
  await person.field("newPasswordRepeat").fill(NEXT_PASSWORD);
  await person.sendRefused(() => person.button("Zapisz").click());
  await expect(person.field("newPassword")).toHaveValue(NEXT_PASSWORD);
  await page.evaluate(meddle);
  await person.field("authorizationCode").fill(code);
  await person.button("Zapisz").click();
  await expect(page).toHaveURL("/home/confirm-login");
});

test("values that software fills in without an event are sent, and hold no button back", async ({
  person,
  page,
  newcomer,
}) => {
  await person.arrive();
  await person.open("/home/register");
  await page.evaluate(
    ([policyNo, pid]) => {
      const fill = (name: string, value: string | undefined) => {
        const field = document.querySelector(`main [name=${name}]`);
        if (field instanceof HTMLInputElement) field.value = value ?? "";
      };
      fill("policyNo", policyNo);
      fill("pid", pid);
    },
    [newcomer.policyNo, newcomer.pid],
  );
  // Playwright presses no button that is off; a pointer that comes near makes it look again.
  await person.button("Wyślij kod autoryzacyjny").hover({ force: true });
  await person.button("Wyślij kod autoryzacyjny").click();
  await expect(page).toHaveURL("/home/set-password");
});
