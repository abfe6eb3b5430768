import { ANNA } from "../../demo-customers";
import { test } from "./journey";

const FOOTER = { landmark: "footer" } as const;

test("a visitor who doesn't read Polish chooses English first and signs in; Polish is as easy to reach", async ({
  visitor,
  portal,
}) => {
  await visitor.open("/home/cookies");
  await visitor.follow("English", FOOTER);
  await visitor.headed("Before you continue");
  await visitor.lands("/home/cookies");
  await visitor.titled("Cookies – Customer sign-in | Tarnea Ubezpieczenia");
  await visitor.press("Accept and continue");
  await visitor.lands("/home");

  await visitor.headed("Sign in");
  await visitor.fill({ username: ANNA.username, password: "Zle-Haslo-2026!" });
  await visitor.send("Sign in");
  await visitor.alerted("Incorrect username or password.");
  await visitor.titled("Error: Customer sign-in | Tarnea Ubezpieczenia");
  await visitor.type("password", ANNA.password);
  await visitor.press("Sign in");

  await visitor.lands("/home/mfa");
  await visitor.headed("Confirm that it is you");
  const code = await portal.lastCode(ANNA.phone);
  // Changing the language midway loses nothing: the code that was sent still works.
  await visitor.follow("Polski", FOOTER);
  await visitor.headed("Potwierdź, że to Ty");
  await visitor.follow("English", FOOTER);
  await visitor.headed("Confirm that it is you");
  await visitor.lands("/home/mfa");
  await visitor.type("authorizationCode", code);
  await visitor.press("Confirm");

  await visitor.lands("/cp");
  await visitor.headed("My policies");
  await visitor.reads(`Signed in as ${ANNA.name}`, { landmark: "header" });
  await visitor.follow("Polski", FOOTER);
  await visitor.headed("Moje polisy");
  await visitor.lands("/cp");
  await visitor.signOut();
  await visitor.headed("Wylogowano z portalu");
});

test("[F17] registration in another language says that the identifier must be typed again, if it is lost", async ({
  visitor,
  newcomer,
}) => {
  const { policyNo, pid } = newcomer;
  await visitor.arrive();
  await visitor.open("/home/register");
  await visitor.fill({ policyNo, pid });
  await visitor.follow("English", FOOTER);
  await visitor.reads("please enter it again");
  await visitor.holds("pid", "");
  await visitor.lands(/^\/home\/register/);
  await visitor.fill({ policyNo, pid });
  await visitor.press("Send authorisation code");
  await visitor.lands("/home/set-password");

  await visitor.follow("Correct");
  await visitor.lands("/home/register");
  await visitor.follow("Polski", FOOTER);
  await visitor.headed("Załóż konto w portalu");
  await visitor.lacks("wpisz go jeszcze raz");
  await visitor.holds("pid", pid);
});
