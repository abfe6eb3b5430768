import type { Flow } from "~/session/flow.server";
import { refusal, SENT_AT, statesOf, type ScreenState } from "../screen-state.server";
import { PROFILE } from "../scripted-backend.server";
import { RULES_BROKEN_PASSWORDS, TYPED_CODE } from "./typed";

const session = "active";
const sent = { codeSentAt: SENT_AT, resent: false };
const changingUsername: Flow = {
  name: "change-username",
  ...sent,
  username: "anna.nowak",
  origin: "/cp/profile",
  newUsername: "",
  newUsernameRepeat: "",
};
const changingPassword: Flow = { name: "change-password", ...sent, username: "anna.nowak" };
const documentPassword: Flow = { name: "document-password", ...sent };
const newUsername = { ...TYPED_CODE, newUsername: "anna.n", newUsernameRepeat: "anna.n" };
const newPassword = { ...TYPED_CODE, newPassword: "Nowe-Haslo-2026", newPasswordRepeat: "Nowe-Haslo-2026" };
const newDocumentPassword = { ...TYPED_CODE, password: "Dokument-2026!", passwordRepeat: "Dokument-2026!" };
const withDocumentPassword = { profile: { status: 200, body: { ...PROFILE, documentPassword: true } } };

const username = [
  ...statesOf(
    "confirm-login",
    { path: "/home/confirm-login", session },
    {
      "015": { sent: { intent: "change" }, answers: { loginChangeInit: refusal("015") } },
    },
  ),
  ...statesOf(
    "change-login",
    { path: "/home/change-login", session, flow: changingUsername },
    {
      "rules-broken": {
        sent: { intent: "confirm", ...TYPED_CODE, newUsername: "a!", newUsernameRepeat: "b" },
      },
      "012": { sent: { intent: "confirm", ...newUsername }, answers: { loginChangeConfirm: refusal("012") } },
      "015": { sent: { intent: "confirm", ...newUsername }, answers: { loginChangeConfirm: refusal("015") } },
    },
  ),
  { id: "change-login/no-code-yet", path: "/home/change-login", session } as const,
  {
    id: "change-login/015-at-once",
    path: "/home/change-login",
    session,
    sent: { intent: "send-code" },
    answers: { loginChangeInit: refusal("015") },
  } as const,
];

const password = [
  ...statesOf(
    "change-password",
    { path: "/home/change-password", session, flow: changingPassword },
    {
      "rules-broken": { sent: { intent: "confirm", ...RULES_BROKEN_PASSWORDS } },
      "013": {
        sent: { intent: "confirm", ...newPassword },
        answers: { passwordResetConfirm: refusal("013") },
      },
    },
  ),
  { id: "change-password/no-code-yet", path: "/home/change-password", session } as const,
];

const document = [
  ...statesOf(
    "create-document-password",
    { path: "/home/create-document-password", session, flow: documentPassword },
    {
      "rules-broken": {
        sent: { intent: "confirm", ...TYPED_CODE, password: "Zażółć-gęślą 1", passwordRepeat: "inne" },
      },
      "007": {
        sent: { intent: "confirm", ...newDocumentPassword },
        answers: { documentPasswordConfirm: refusal("007") },
      },
      "016": {
        sent: { intent: "confirm", ...newDocumentPassword },
        answers: { documentPasswordConfirm: refusal("016") },
      },
    },
  ),
  ...statesOf("change-document-password", {
    path: "/home/change-document-password",
    session,
    flow: documentPassword,
    answers: withDocumentPassword,
  }),
];

const LONG = "Konstantynopolitańczykowianeczka-Brzęczyszczykiewicz";
const longNames = {
  userInfo: {
    status: 200,
    body: { name: `Maria Magdalena ${LONG}`, username: `maria.magdalena.${LONG.slice(0, 34)}` },
  },
  policies: {
    status: 200,
    body: {
      policies: [
        {
          policyNo: "POL-12345678901234567890",
          name: "Ubezpieczenie odpowiedzialności cywilnej posiadaczy pojazdów mechanicznych wraz z autocasco i pomocą w drodze",
          validFrom: "2026-01-01",
          validTo: "2026-12-31",
        },
      ],
    },
  },
};

const customerArea = [
  ...statesOf(
    "policies",
    { path: "/cp", session },
    {
      none: { answers: { policies: { status: 200, body: { policies: [] } } } },
      "long-names": { answers: longNames },
    },
  ),
  ...statesOf(
    "profile",
    { path: "/cp/profile", session },
    {
      "no-devices": { answers: { profile: { status: 200, body: { ...PROFILE, trustedDevices: [] } } } },
      "document-password-created": {
        path: "/cp/profile?document-password-save-result=create",
        answers: withDocumentPassword,
      },
      "username-changed": { flow: { name: "notice", notice: "username-changed" } },
      "device-removed": { flow: { name: "notice", notice: "device-removed" } },
    },
  ),
  ...statesOf("contact", { path: "/cp/contact", session }),
];

/** Every screen of who is signed in. */
export const SIGNED_IN: readonly ScreenState[] = [...username, ...password, ...document, ...customerArea];
