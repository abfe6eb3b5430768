import { join } from "node:path";
import type { MailServer, OutgoingMail } from "~/backend/messages/smtp.server";
import { readOrMakeKeyFile } from "~/backend/secrets/key-file.server";
import { seal } from "~/backend/secrets/keyring.server";
import type { Delivery } from "~/backend/messages/delivery.server";
import { mailTexts } from "~/i18n/mail-texts.server";
import { OWN_ANCHORS, schemesOf } from "~/platform/config/palette";
import { ANNA } from "../../../../demo-customers";
import { ACCEPTED } from "../sms-sender-harness";
import type { TestBackend } from "../../test-backend";

/** The texts of e-mail notices that the tests use: the portal's own. */
export const MAILS = mailTexts({ name: "Tarnea" }, schemesOf(OWN_ANCHORS).light);

/** Anna's address, which no other customer has. */
export const ANNAS_ADDRESS = "anna.kanarek@example.pl";

/** A mail server for tests: `does` decides what happens to an e-mail, `offered` records them all. */
export class TestMailServer implements MailServer {
  readonly place = "mail.example:465";
  readonly offered: OutgoingMail[] = [];
  does: (mail: OutgoingMail, signal: AbortSignal) => Promise<Delivery> = () => Promise.resolve(ACCEPTED);

  send(mail: OutgoingMail, signal: AbortSignal): Promise<Delivery> {
    this.offered.push(mail);
    return this.does(mail, signal);
  }

  greet(): Promise<Delivery> {
    return Promise.resolve(ACCEPTED);
  }
}

/** Gives a customer an e-mail address, as an import does. */
export async function giveAddress(
  way: TestBackend,
  address = ANNAS_ADDRESS,
  username = ANNA.username,
): Promise<void> {
  const keys = readOrMakeKeyFile(join(way.dataDir, "keys.json"), true);
  const [found] = await way.query("select customer_id from accounts where username = ?", username);
  const id = String(found?.["customer_id"]);
  await way.change(
    "update customers set email_sealed = ? where id = ?",
    seal(keys, { table: "customers", column: "email_sealed", row: id }, address),
    id,
  );
}

/** Never answers, until the portal stops. */
export function untilAborted(_mail: OutgoingMail, signal: AbortSignal): Promise<Delivery> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      resolve({ kind: "later", reason: "the portal is stopping", alarm: false });
    });
  });
}
