import { keptValues, sampleValues } from "~/forms/form-definition";
import { refusal, statesOf } from "./screen-states";
import { inFlow } from "~/visit/flow.server";
import { refusedSignIn } from "~/journeys/kit/flows";
import { newPasswordForm } from "~/journeys/kit/forms";
import { CODE_SENT, sampleSent } from "./screen-states";
import { passwordReset, resetPasswordForm } from "~/journeys/reset-password/reset-password-init";

/** The states of `/home/reset-password-init` and `/home/reset-password-submit`. */
export const RESET_PASSWORD_STATES = [
  ...statesOf(
    "reset-password-init",
    { path: "/home/reset-password-init" },
    {
      empty: { sent: keptValues(resetPasswordForm) },
      "after-refused-sign-in": { flow: inFlow(refusedSignIn, sampleValues(resetPasswordForm)) },
    },
  ),
  ...statesOf(
    "reset-password-submit",
    {
      path: "/home/reset-password-submit",
      flow: inFlow(passwordReset, { ...CODE_SENT, ...sampleValues(resetPasswordForm) }),
    },
    {
      "013": { sent: sampleSent(newPasswordForm), answers: { passwordResetConfirm: refusal("013") } },
    },
  ),
];
