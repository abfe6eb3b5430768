import { refusal, statesOf } from "~/gallery/screen-state.server";
import { inFlow } from "~/visit/flow.server";
import { CODE_SENT, CONFIRM, TYPED_PASSWORDS } from "../kit/typed-states.server";
import { passwordReset } from "./flow.server";

/** The states of `/home/reset-password-init` and `/home/reset-password-submit`. */
export const RESET_PASSWORD_STATES = [
  ...statesOf(
    "reset-password-init",
    { path: "/home/reset-password-init" },
    { empty: { sent: { username: "" } } },
  ),
  ...statesOf(
    "reset-password-submit",
    {
      path: "/home/reset-password-submit",
      flow: inFlow(passwordReset, { ...CODE_SENT, username: "anna.nowak" }),
    },
    {
      "013": { sent: { ...CONFIRM, ...TYPED_PASSWORDS }, answers: { passwordResetConfirm: refusal("013") } },
    },
  ),
];
