import { wrongCode } from "../../portal";
import { test } from "./journey";

/** Meets every condition, and is among the first guesses of a guessing program. */
const WEAK = "Warszawa1944!";
const ADVICE = "To hasło łatwo odgadnąć";

test("[S80] a weak first password is saved, and the next screen advises another one, once", async ({
  visitor,
  standAt,
}) => {
  await visitor.setPassword(await standAt("set-password"), WEAK);
  await visitor.lands("/home/confirm-login");
  await visitor.reads("Hasło zostało zapisane.");
  await visitor.reads(ADVICE);
  await visitor.reload();
  await visitor.lacks(ADVICE);
});

test("[S80] a form refused for its code says beside the checklist that the password was weak", async ({
  visitor,
  standAt,
  newcomer,
}) => {
  await visitor.setPassword(wrongCode(await standAt("set-password")), `Xkq-${newcomer.policyNo}`);
  await visitor.faulty("authorizationCode");
  await visitor.has("newPassword", "aria-describedby", /./);
  await visitor.reads(ADVICE);
});

// The name is known once the code was right.
for (const [screen, next, field, done] of [
  ["set-password", "/home/confirm-login", "newPassword", "Hasło zostało zapisane."],
  ["reset-password-submit", "/cp", "newPassword", "Hasło zostało zmienione."],
  ["change-password", "/cp/profile", "newPassword", "Hasło zostało zmienione."],
  [
    "create-document-password",
    "/cp/profile?document-password-save-result=create",
    "password",
    "Hasło do dokumentów zostało utworzone.",
  ],
] as const) {
  test(`[S80] a password that holds the customer's name is saved, with advice: ${screen}`, async ({
    visitor,
    standAt,
    newcomer,
  }) => {
    const named = `Xkq-9-zvw-${newcomer.name.replaceAll(" ", "")}`;
    await visitor.fill({
      authorizationCode: await standAt(screen),
      [field]: named,
      [`${field}Repeat`]: named,
    });
    await visitor.press("Zapisz");
    await visitor.lands(next);
    await visitor.reads(done);
    await visitor.reads(ADVICE);
    await visitor.reads("zawiera Twoje dane, na przykład imię");
  });
}
