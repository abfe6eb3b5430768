import { test } from "../../browsers/fixtures";

/** Each field that may be left empty, and a link beside it. */
const BESIDE = [
  ["/home", "username", "Nie pamiętam nazwy użytkownika", "/home/remind-login-init"],
  ["/home", "password", "Nie pamiętam hasła", "/home/reset-password-init"],
] as const;

test("[F34] the first press of a mouse counts beside an empty field that has the focus", async ({
  guest,
}) => {
  await guest.arrive();
  for (const [path, field, link, next] of BESIDE) {
    await guest.open(path);
    await guest.clickInto(field);
    await guest.holdDown(link);
    await guest.lands(next);
  }
});
