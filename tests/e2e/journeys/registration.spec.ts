import { COMPANY, KRYSTYNA, OLENA } from "../../demo-customers";
import { FIRST_PASSWORD } from "../../new-account";
import type { JourneyVisitor } from "../journey-visitor";
import { LIKE_ANOTHER } from "../../release-run";
import { test } from "./journey";

const SEND = "Wyślij kod autoryzacyjny";

interface Typed {
  readonly policyNo: string;
  readonly pid: string;
}

/** From the sign-in page to the screen that asks for code and password. */
async function beginRegistration(visitor: JourneyVisitor, { policyNo, pid }: Typed) {
  await visitor.arrive();
  await visitor.follow("Zarejestruj się");
  await visitor.lands("/home/register");
  await visitor.fill({ policyNo, pid });
  await visitor.press(SEND);
  await visitor.lands("/home/set-password");
}

/** [F36] Both are shown, the identifier by its end, and the way back keeps them. */
async function showsWhatWasTyped(visitor: JourneyVisitor, { policyNo, pid }: Typed) {
  await visitor.reads(`Numer polisy lub wniosku: ${policyNo}`);
  await visitor.reads(`••${pid.slice(-2)}`);
  await visitor.lacks(pid);
  await visitor.follow("Popraw");
  await visitor.lands("/home/register");
  await visitor.holds("policyNo", policyNo);
  // It is kept as it was sent, in capitals (specification §2, Register).
  await visitor.holds("pid", new RegExp(`^${pid}$`, "i"));
  await visitor.press(SEND);
  await visitor.lands("/home/set-password");
}

for (const [kind, customer, tag] of [
  [
    "an individual, by PESEL with a space, and the number with an en dash [F29]",
    { ...KRYSTYNA, pid: "720908 11112", policyNo: "POL\u2013200001" },
    LIKE_ANOTHER,
  ],
  [
    "a person without a PESEL, by an identity document in small letters",
    { ...OLENA, pid: OLENA.pid.toLowerCase() },
    LIKE_ANOTHER,
  ],
  [
    "a company's representative, by NIP with hyphens, and the number with a space [F29]",
    { ...COMPANY, pid: "951-234-56-75", policyNo: "POL 200003" },
    undefined,
  ],
] as const) {
  test(
    `§1 §4 [F36] registration: ${kind}, and on to the portal without changing the username`,
    { tag: tag ?? [] },
    async ({ visitor, portal }) => {
      await beginRegistration(visitor, customer);
      await visitor.reads("Krok 2 z 2");
      await showsWhatWasTyped(visitor, customer);
      await visitor.setPassword(await portal.lastCode(customer.phone), FIRST_PASSWORD);
      await visitor.lands("/home/confirm-login");
      await visitor.holds("Twoja nazwa użytkownika", /^klient\d{8}$/);
      await visitor.follow("Zostaw tę nazwę");
      await visitor.lands("/cp");
      await visitor.reads(customer.name, { landmark: "header" });
    },
  );
}

test("§4 the generated username is changed after registering: to /cp, out, and in with the new one", async ({
  visitor,
  portal,
  newcomer,
}) => {
  await beginRegistration(visitor, newcomer);
  await visitor.setPassword(await portal.lastCode(newcomer.phone), FIRST_PASSWORD);
  await visitor.lands("/home/confirm-login");
  await visitor.press("Zmień nazwę użytkownika");
  await visitor.lands("/home/change-login");
  const username = `Nowa.Nazwa-${newcomer.pid}@ż`;
  const authorizationCode = await portal.lastCode(newcomer.phone);
  await visitor.fill({ authorizationCode, newUsername: username, newUsernameRepeat: username });
  await visitor.press("Zapisz");
  await visitor.lands("/cp");
  await visitor.signOut();
  await visitor.follow("Zaloguj się ponownie");
  await visitor.lands("/home");
  await visitor.login({ username: username.toLowerCase(), password: FIRST_PASSWORD });
  await visitor.lands("/home/mfa");
  await visitor.confirm(await portal.lastCode(newcomer.phone));
  await visitor.lands("/cp");
});
