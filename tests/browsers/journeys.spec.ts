import { ANNA } from "../demo-customers";
import { expect, test } from "./fixtures";

test("from the cookie gate to the customer area, and the second time without a code", async ({
  guest,
  portal,
}) => {
  await guest.open("/cp/profile");
  await guest.lands("/home/cookies");
  await guest.reads("Zanim przejdziesz dalej", "h1");
  await guest.press("Akceptuję i przechodzę dalej");
  await guest.lands("/home");
  // The address changes before the screen does.
  await expect.poll(() => guest.browser.title()).toBe("Logowanie klienta | Tarnea Ubezpieczenia");
  await guest.login(ANNA);
  await guest.lands("/home/mfa");
  await guest.reads("Potwierdź, że to Ty", "h1");
  await guest.confirm(await portal.lastCode(ANNA.phone));
  await guest.lands("/cp");
  await guest.reads(ANNA.policyNo);
  await guest.reads(`Zalogowano: ${ANNA.name}`, "header");
  await guest.signOut();
  await guest.reads("Wylogowano z portalu", "h1");

  const messages = await portal.messagesTo(ANNA.phone);
  await guest.follow("Zaloguj się ponownie");
  await guest.lands("/home");
  await guest.login(ANNA);
  await guest.lands("/cp");
  expect(await portal.messagesTo(ANNA.phone)).toBe(messages);
});
