import { expect, test } from "./gallery";

test("[F13] a code whose time is over is refused, and the link for another one stays with scripts", async ({
  page,
  open,
}) => {
  for (const screen of ["mfa", "create-document-password"]) {
    await open(`/demo/gallery/${screen}/code-ended`);
    await expect(page.locator("main")).toContainText(/Ten kod stracił ważność o\s8:57\./);
    await expect(page.getByRole("button", { name: "Wyślij kod ponownie" })).toBeVisible();
    await expect(page.getByText("Aby zamówić nowy SMS, zmień kod w polu")).toHaveCount(0);
  }
});
