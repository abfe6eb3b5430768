import { zonedTimeInPoland as at } from "~/platform/time.server";
import { maskedNumber } from "~/backend/customers/phones.server";
import type { DecidedPhone, Registered } from "~/backend/services/accounts/new-phone.server";
import type { WaitingPhone } from "../support/new-phone.server";

/** A number that waits, in lines for people. */
export function newPhoneInWords({ phone, from, import: by }: WaitingPhone): readonly string[] {
  const operator = by?.operator === undefined ? "" : `${by.operator}, `;
  return [
    `${phone}, used from ${at(from)}; until then codes go to the old number`,
    by
      ? `by the import of ${at(by.at)} (${operator}request ${by.requestId})`
      : "by an import that the audit no longer knows",
    "`account use-new-phone` uses it at once, `account keep-old-phone` stops it",
  ];
}

/** `account use-new-phone` and `account keep-old-phone`. */
export function tellDecided(
  { accountId }: Registered,
  phones: DecidedPhone | undefined,
  outcome: "used" | "stopped",
) {
  if (!phones)
    return {
      facts: { account: accountId, changed: false },
      lines: [
        `Account ${accountId}: no new phone number waits.`,
        "If a wrong one is in use already, correct it in the insurer's system, and import it with --phone-verified.",
      ],
    };
  const oldPhone = maskedNumber(phones.oldPhone);
  const newPhone = maskedNumber(phones.newPhone);
  const from = new Date(phones.from);
  const told = phones.isTold ? "Both are told by SMS." : "SMS_NOTICES is off: neither is told.";
  return {
    facts: { account: accountId, changed: true, outcome, oldPhone, newPhone, from },
    lines:
      outcome === "used"
        ? [`Account ${accountId}: codes go to ${newPhone} from now on, not to ${oldPhone}. ${told}`]
        : [
            `Account ${accountId}: codes stay with ${oldPhone}; ${newPhone} won't be used. ${told}`,
            "Correct the number in the insurer's system, too: the next import that lists the new one makes it wait again.",
          ],
  };
}
