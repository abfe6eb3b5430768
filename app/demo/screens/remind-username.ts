import { keptValues, sampleValues } from "~/forms/form-definition";
import { refusal, statesOf } from "./screen-states";
import { inFlow } from "~/visit/flow.server";
import { remindedUsername } from "~/journeys/kit/flows";
import { CODE_SENT, sampleSent } from "./screen-states";
import { usernameReminder, remindUsernameForm } from "~/journeys/remind-username/remind-login-init";
import { reminderCodeForm } from "~/journeys/remind-username/remind-login-submit";

/** The states of `/home/remind-login-init`, `-submit` and `-final`. */
export const REMIND_USERNAME_STATES = [
  ...statesOf(
    "remind-login-init",
    { path: "/home/remind-login-init" },
    { empty: { sent: keptValues(remindUsernameForm) } },
  ),
  ...statesOf(
    "remind-login-submit",
    {
      path: "/home/remind-login-submit",
      flow: inFlow(usernameReminder, { ...CODE_SENT, ...sampleValues(remindUsernameForm) }),
    },
    { "007": { sent: sampleSent(reminderCodeForm), answers: { loginRemindConfirm: refusal("007") } } },
  ),
  ...statesOf(
    "remind-login-final",
    { path: "/home/remind-login-final", flow: inFlow(remindedUsername, { username: "klient48210937" }) },
    { "101": { sent: { password: "Inne-Haslo-2026" }, answers: { login: refusal("101") } } },
  ),
];
