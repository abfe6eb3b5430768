import { keptValues } from "~/forms/form-definition";
import { refusal, statesOf } from "./screen-states";
import { inFlow, noticeFlow } from "~/visit/flow.server";
import { weakPasswordNotice } from "~/journeys/kit/password-advice";
import { CODE_SENT_TO, sampleSent, statesByMethod } from "./screen-states";
import { usernameChange, newUsernameForm, newUsernameForms } from "~/journeys/change-username/change-login";

const session = "active";
const path = "/home/change-login";
const typed = sampleSent(newUsernameForm);
const begun = {
  username: "anna.nowak",
  origin: "/cp/profile",
  ...keptValues(newUsernameForm),
} as const;
const changing = inFlow(usernameChange, { ...CODE_SENT_TO, ...begun });

/** The states of `/home/confirm-login` and `/home/change-login`. */
export const CHANGE_USERNAME_STATES = [
  ...statesOf(
    "confirm-login",
    { path: "/home/confirm-login", session },
    {
      "015": { sent: { intent: "change" }, answers: { loginChangeInit: refusal("015") } },
      "weak-password": { flow: inFlow(noticeFlow, weakPasswordNotice("common")) },
    },
  ),
  ...statesOf(
    "change-login",
    { path, session, flow: changing },
    {
      "rules-broken": { sent: { ...typed, newUsername: "a!", newUsernameRepeat: "b" } },
      "012": { sent: typed, answers: { loginChangeConfirm: refusal("012") } },
      "015": { sent: typed, answers: { loginChangeConfirm: refusal("015") } },
      "015-until": {
        sent: typed,
        answers: { loginChangeConfirm: refusal("015", { retryAfterSeconds: 30 * 24 * 60 * 60 }) },
      },
    },
  ),
  ...statesByMethod("change-login", {
    path,
    flow: (method) => inFlow(usernameChange, { ...begun, resent: false, ...method }),
    forms: newUsernameForms,
    confirm: "loginChangeConfirm",
  }),
  { id: "change-login/no-code-yet", path, session } as const,
  {
    id: "change-login/015-at-once",
    path,
    session,
    sent: { intent: "send-code" },
    answers: { loginChangeInit: refusal("015") },
  } as const,
];
