import { ANNA, JAN, PIOTR } from "../../demo-customers";
import { wrongCode } from "../../portal";
import { LIKE_ANOTHER } from "../../release-run";
import { expect, test } from "./journey";

const TRUST = "Dodaj to urządzenie do zaufanych";

test("a resent code replaces the first, and the choice to trust survives it", async ({ visitor, portal }) => {
  await visitor.reachCode(ANNA);
  const first = await portal.lastCode(ANNA.phone);
  await visitor.turn(TRUST, false);
  await visitor.resendCode(ANNA.phone);
  await visitor.isTurned(TRUST, false);

  await visitor.type("authorizationCode", first);
  await visitor.send("Potwierdź");
  await visitor.refused("Nieprawidłowy kod");
  await visitor.confirm(await portal.lastCode(ANNA.phone));
  await visitor.lands("/cp");
  await visitor.open("/cp/profile");
  await visitor.signInAgain(ANNA);
  await visitor.lands("/home/mfa");
});

test("the choice to trust survives a wrong code", async ({ visitor, portal }) => {
  await visitor.reachCode(JAN);
  const code = await portal.lastCode(JAN.phone);
  for (const [nth, on] of [false, true].entries()) {
    await visitor.turn(TRUST, on);
    await visitor.type("authorizationCode", wrongCode(code, nth + 1));
    await visitor.send("Potwierdź");
    await visitor.refused("Nieprawidłowy kod");
    await visitor.isTurned(TRUST, on);
  }
});

test(
  "'Wstecz' drops the session, and the code no longer works",
  { tag: LIKE_ANOTHER },
  async ({ visitor }) => {
    await visitor.reachCode(PIOTR);
    await visitor.press("Wstecz");
    await visitor.lands("/home");
    expect(await visitor.cookieNames()).not.toContain("session");
    await visitor.open("/home/mfa");
    await visitor.lands("/home");
  },
);

test("[F30] a code with digits missing costs no try; one with a dash is right", async ({
  visitor,
  portal,
}) => {
  await visitor.reachCode(JAN);
  const code = await portal.lastCode(JAN.phone);
  for (let nth = 1; nth <= 5; nth += 1) {
    await visitor.confirm(code.slice(0, nth));
    await visitor.refused("Wpisz 6 cyfr.");
  }
  await visitor.confirm(`${code.slice(0, 3)}-${code.slice(3)}`);
  await visitor.lands("/cp");
});
