import { expect, open, test } from "./gallery";

const ENDED = /Ten kod stracił ważność o\s8:57\.\sZamów nowy\./;

for (const screen of ["mfa", "create-document-password"])
  test(`[F13] ${screen}: a code whose time is over is refused with that time, and the link for another is there`, async ({
    page,
    portal,
    javaScriptEnabled,
  }) => {
    await open(page, portal, `/demo/gallery/${screen}/code-ended`, javaScriptEnabled);
    await expect(page.locator("main")).toContainText(ENDED);
    const field = page.locator("main [name=authorizationCode]");
    await expect(field).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByRole("button", { name: "Wyślij kod ponownie" })).toBeVisible();
    await expect(page.getByText("Aby zamówić nowy SMS, zmień kod w polu")).toHaveCount(0);
  });

test("[S3, F13] a signed-out visitor isn't told that a code's time is over", async ({
  page,
  portal,
  javaScriptEnabled,
}) => {
  await open(page, portal, "/demo/gallery/set-password/code-ended", javaScriptEnabled);
  await expect(page.locator("main")).toContainText("Nieprawidłowy kod autoryzacyjny.");
  await expect(page.locator("main")).not.toContainText("ważność");
});
