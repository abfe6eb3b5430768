import { refusal, statesOf } from "~/gallery/screen-state.server";
import { inFlow } from "~/visit/flow.server";
import { CODE_SENT_TO, CONFIRM, RULES_BROKEN_PASSWORDS, TYPED_PASSWORDS } from "../kit/typed-states.server";
import { passwordChange } from "./flow.server";

const session = "active";
const path = "/home/change-password";

/** The states of `/home/change-password`. */
export const CHANGE_PASSWORD_STATES = [
  ...statesOf(
    "change-password",
    { path, session, flow: inFlow(passwordChange, { ...CODE_SENT_TO, username: "anna.nowak" }) },
    {
      "rules-broken": { sent: { ...CONFIRM, ...RULES_BROKEN_PASSWORDS } },
      "013": { sent: { ...CONFIRM, ...TYPED_PASSWORDS }, answers: { passwordResetConfirm: refusal("013") } },
    },
  ),
  { id: "change-password/no-code-yet", path, session } as const,
];
