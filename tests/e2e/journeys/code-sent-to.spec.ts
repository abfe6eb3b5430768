import { ANNA } from "../../demo-customers";
import { expect, test } from "./journey";

/** "SMS z kodem wysłaliśmy o 9:05 na numer ••• ••• 001. Kod jest ważny do 9:15.", with hard spaces or plain ones. */
const SENT_TO = (phone: string) => {
  const time = String.raw`\d{1,2}:\d\d`;
  const number = String.raw`•{3}\s•{3}\s${phone.slice(-3)}`;
  return new RegExp(String.raw`\so\s${time}\sna\snumer\s${number}\..*\sjest\sważny\sdo\s${time}\.`);
};

test("[F13] after the password, the code screen says where the code went and until when it is valid", async ({
  visitor,
}) => {
  await visitor.reachCode(ANNA);
  await visitor.reads("SMS z kodem");
  await visitor.reads(SENT_TO(ANNA.phone));
  // Read out in words, since bullets say nothing.
  await visitor.offers("picture", "kończący się na 0 0 1", 1);
  await visitor.resendCode(ANNA.phone);
  await visitor.reads(SENT_TO(ANNA.phone));
});

for (const step of ["change-password", "change-login", "create-document-password"] as const) {
  test(`[F13] in a session, ${step} says where the code went`, async ({ visitor, newcomer, standAt }) => {
    await standAt(step);
    await visitor.reads(SENT_TO(newcomer.phone));
  });
}

for (const step of ["set-password", "reset-password-submit", "remind-login-submit"] as const) {
  test(`[S6, F13] signed out, ${step} never says where a code went`, async ({
    visitor,
    newcomer,
    standAt,
  }) => {
    await standAt(step);
    await visitor.reads("Jeśli podane dane są prawidłowe");
    // The policy number, which was typed, may end in the same digits.
    const said = (await visitor.textOf()).replaceAll(newcomer.policyNo, "");
    expect(said).not.toContain(newcomer.phone.slice(-3));
  });
}
