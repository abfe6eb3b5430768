import { refusal, statesOf } from "~/gallery/screen-state.server";
import { inFlow, noticeFlow } from "~/visit/flow.server";
import { weakPasswordNotice } from "../kit/password-advice.server";
import { CODE_SENT_TO, CONFIRM, TYPED_CODE } from "../kit/typed-states.server";
import { usernameChange } from "./flow.server";

const session = "active";
const path = "/home/change-login";
const typed = { ...TYPED_CODE, newUsername: "anna.n", newUsernameRepeat: "anna.n" };
const changing = inFlow(usernameChange, {
  ...CODE_SENT_TO,
  username: "anna.nowak",
  origin: "/cp/profile",
  newUsername: "",
  newUsernameRepeat: "",
});

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
      "rules-broken": { sent: { ...CONFIRM, ...TYPED_CODE, newUsername: "a!", newUsernameRepeat: "b" } },
      "012": { sent: { ...CONFIRM, ...typed }, answers: { loginChangeConfirm: refusal("012") } },
      "015": { sent: { ...CONFIRM, ...typed }, answers: { loginChangeConfirm: refusal("015") } },
    },
  ),
  { id: "change-login/no-code-yet", path, session } as const,
  {
    id: "change-login/015-at-once",
    path,
    session,
    sent: { intent: "send-code" },
    answers: { loginChangeInit: refusal("015") },
  } as const,
];
