import { JAN } from "../demo-customers";
import { LIKE_ANOTHER } from "../release-run";
import { expect, test as base } from "./fixtures";

/** On a portal without TLS: Chromium keeps no page of a server whose certificate it doesn't know. */
const test = base.extend({
  portal: async ({ portals }, use) => use((await portals.alone()).portal),
});

test(
  "[F9] going back to a refused form shows it again, not the browser's error page",
  { tag: LIKE_ANOTHER },
  async ({ person, page, javaScriptEnabled }) => {
    await person.arrive();
    await person.login({ username: JAN.username, password: "Zle-Haslo-2026!" });
    await expect(person.refusal).toBeVisible();
    await page.getByRole("link", { name: "Nie pamiętam hasła" }).click();
    await expect(person.heading).toHaveText("Nie pamiętasz hasła?");
    await page.goBack();
    await expect(person.heading).toHaveText("Zaloguj się");
    // Scripts request the page again; without them the browser shows the refused form.
    if (javaScriptEnabled) return;
    await expect(person.refusal).toBeVisible();
    await expect(person.field("username")).toHaveValue(JAN.username);
    await expect(person.field("password")).toHaveValue("");
  },
);
