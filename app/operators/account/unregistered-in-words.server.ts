import { zonedTimeInPoland as at } from "~/platform/time.server";
import type { ShownMessage } from "../support/last-messages.server";
import type { UnregisteredOverview } from "../support/unregistered.server";
import { eventInWords, KINDS, line, list, messageInWords, premiumsInWords, THINGS } from "./in-words.server";

const REACHES: Readonly<Record<UnregisteredOverview["reach"], string>> = {
  mobile: "gets SMS",
  landline: "a landline: messages are sent, but few can receive them",
  country: "gets no SMS: its country is not in SMS_PREFIXES",
  "no-sms": "gets no SMS: it is premium-rate, toll-free or no phone number",
};

/** The portal's knowledge of a customer without an account, likewise. */
export function unregisteredInWords(shown: UnregisteredOverview): readonly string[] {
  const { policies, usedUpCaps, messages, tries } = shown;
  return [
    line("Account", "none: the customer has not registered, or the account was erased"),
    line("Customer", KINDS[shown.customerKind]),
    line("Phone", `${shown.phone}, ${REACHES[shown.reach]}`),
    line("Policies", `${policies.all}, ${policies.validToday} of them valid today`),
    ...premiumsInWords(shown),
    ...list(
      "Caps used up",
      usedUpCaps.map(({ of, until }) => `${THINGS[of]}, until ${at(until)}`),
    ),
    line("Messages", messageCounts(shown)),
    ...list("Last messages", messages.map(messageInWords)),
    ...list("Last tries", tries.map(eventInWords)),
  ];
}

const MESSAGE_STATES: Readonly<Record<ShownMessage["state"], string>> = {
  accepted: "taken by a gateway",
  refused: "refused",
  "given-up": "not sent in time",
  waiting: "waiting",
  unknown: "of which it is not known",
};

function messageCounts({ messageStates, messagesSince }: UnregisteredOverview): string {
  const states = Object.keys(MESSAGE_STATES) as (keyof typeof MESSAGE_STATES)[];
  const counts = states.flatMap((state) => {
    const count = messageStates[state] ?? 0;
    return count > 0 ? `${count} ${MESSAGE_STATES[state]}` : [];
  });
  return `${counts.length === 0 ? "none" : counts.join(", ")} since ${at(messagesSince)}`;
}
