import { refusal, statesOf } from "./screen-states";
import { inFlow, noticeFlow } from "~/visit/flow.server";
import { newPasswordForm } from "~/journeys/kit/forms";
import { newPasswordForms } from "~/journeys/kit/new-password";
import { ACCOUNT_SECURED } from "~/journeys/kit/notice";
import { CODE_SENT_TO, CONFIRM, RULES_BROKEN_PASSWORDS, sampleSent, statesByMethod } from "./screen-states";
import { passwordChange } from "~/journeys/change-password/change-password";

const session = "active";
const path = "/home/change-password";

/** The states of `/home/change-password`. */
export const CHANGE_PASSWORD_STATES = [
  ...statesOf(
    "change-password",
    { path, session, flow: inFlow(passwordChange, { ...CODE_SENT_TO, username: "anna.nowak" }) },
    {
      "rules-broken": { sent: { ...CONFIRM, ...RULES_BROKEN_PASSWORDS } },
      "013": { sent: sampleSent(newPasswordForm), answers: { passwordResetConfirm: refusal("013") } },
    },
  ),
  ...statesByMethod("change-password", {
    path,
    flow: (method) => inFlow(passwordChange, { resent: false, username: "anna.nowak", ...method }),
    forms: newPasswordForms,
    confirm: "passwordResetConfirm",
  }),
  { id: "change-password/no-code-yet", path, session } as const,
  { id: "change-password/secured", path, session, flow: inFlow(noticeFlow, ACCOUNT_SECURED) } as const,
  {
    id: "change-password/no-code-yet-429",
    path,
    session,
    sent: { intent: "send-code" },
    answers: { passwordResetInit: { status: 429, body: { errorCode: "429", retryAfterSeconds: 540 } } },
  } as const,
];
