import { CODE_STEPS } from "../../account-steps";
import { ANNA } from "../../demo-customers";
import { expect, test } from "./journey";

const SEND = "Wyślij kod autoryzacyjny";
/** "Najpierw zamów kod. Przyjdzie SMS-em na numer ••• ••• 001.", with hard spaces or plain ones. */
const WILL_GO_TO = (phone: string) =>
  new RegExp(String.raw`Najpierw\szamów\skod\..*na\snumer\s•{3}\s•{3}\s${phone.slice(-3)}\.`);

for (const step of ["change-password", "change-login", "create-document-password"] as const) {
  test(`[F39] ${step}, opened before any code was sent, has one button and says where a code will go`, async ({
    visitor,
    portal,
    signedIn,
  }) => {
    const { path, fields, next } = CODE_STEPS[step];
    const messages = await portal.messagesTo(signedIn.phone);
    await visitor.open(path);
    await visitor.reads("Dla Twojego bezpieczeństwa prosimy o kod z SMS");
    await visitor.reads(WILL_GO_TO(signedIn.phone));
    await visitor.offers("field", undefined, 0);
    await visitor.offers("button", SEND, 1);
    await visitor.offers("button", undefined, 2);
    expect(await portal.messagesTo(signedIn.phone)).toBe(messages);

    await visitor.send(SEND);
    expect(await portal.messagesTo(signedIn.phone)).toBe(messages + 1);
    await visitor.fill({ authorizationCode: await portal.lastCode(signedIn.phone), ...fields() });
    await visitor.press("Zapisz");
    await visitor.lands(next);
  });
}

test("[F39] the sign-in code, once its flow is forgotten, is asked for by one button; trust stays", async ({
  visitor,
  portal,
}) => {
  await visitor.reachCode(ANNA);
  await visitor.forget(/flow$/);
  await visitor.open("/home/mfa");
  await visitor.reads("Logujesz się na urządzeniu, które nie jest zaufane.");
  await visitor.offers("field", undefined, 0);
  await visitor.offers("button", SEND, 1);
  await visitor.offers("button", undefined, 2);
  await visitor.send(SEND);
  await visitor.isTurned("Dodaj to urządzenie do zaufanych", true);
  await visitor.confirm(await portal.lastCode(ANNA.phone));
  await visitor.lands("/cp");
});

test("[F39] 'Wstecz' leaves before a code is asked for", async ({ visitor, portal, signedIn }) => {
  const messages = await portal.messagesTo(signedIn.phone);
  await visitor.open("/home/change-password");
  await visitor.press("Wstecz");
  await visitor.lands("/cp/profile");
  expect(await portal.messagesTo(signedIn.phone)).toBe(messages);
});
