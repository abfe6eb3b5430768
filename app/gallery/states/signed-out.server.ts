import { BLOCKED } from "~/session/gate.server";
import type { Flow } from "~/session/flow.server";
import { refusal, SENT_AT, statesOf, type ScreenState } from "../screen-state.server";
import { RULES_BROKEN_PASSWORDS, TYPED_CODE } from "./typed";

const typed = { username: "anna.nowak", password: "Inne-Haslo-2026" };
const holder = { policyNo: "POL-200001", pid: "72090811112" };
const sent = { codeSentAt: SENT_AT, resent: false };
const signingIn: Flow = { name: "sign-in", ...sent, trust: true };
const registering: Flow = { name: "register", ...sent, ...holder };
const resetting: Flow = { name: "reset-password", ...sent, username: "anna.nowak" };
const reminding: Flow = { name: "remind-username", ...sent, policyNo: "POL-100001" };
const newPassword = { ...TYPED_CODE, newPassword: "Nowe-Haslo-2026", newPasswordRepeat: "Nowe-Haslo-2026" };

const login = statesOf(
  "login",
  { path: "/home" },
  {
    "session-expired": { flow: { name: "notice", notice: "session-expired" } },
    empty: { sent: { username: "", password: "" } },
    "101": { sent: typed, answers: { login: refusal("101") } },
    "105": { sent: typed, answers: { login: refusal("105") } },
    "106": { sent: typed, answers: { login: refusal("106", { retryAfterSeconds: 900 }) } },
    "106-by-a-person": { sent: typed, answers: { login: refusal("106") } },
    "108": { sent: typed, answers: { login: refusal("108") } },
    "any-other": { sent: typed, answers: { login: refusal("999") } },
    "429": {
      sent: typed,
      answers: { login: { status: 429, body: { errorCode: "429", retryAfterSeconds: 540 } } },
    },
    "503": {
      sent: typed,
      answers: { login: { status: 503, body: { errorCode: "503", retryAfterSeconds: 5 } } },
    },
  },
);

const mfa = statesOf(
  "mfa",
  { path: "/home/mfa", session: "pending", flow: signingIn },
  {
    resent: { flow: { ...signingIn, resent: true } },
    "without-trust": { flow: { ...signingIn, trust: false } },
    empty: { sent: { intent: "confirm", authorizationCode: "", trustDevice: "Y" } },
    "007": {
      sent: { intent: "confirm", ...TYPED_CODE, trustDevice: "Y" },
      answers: { activateSessionConfirm: refusal("007") },
    },
    "016": {
      sent: { intent: "confirm", ...TYPED_CODE },
      answers: { activateSessionConfirm: refusal("016") },
    },
  },
);

const register = statesOf(
  "register",
  { path: "/home/register" },
  {
    "step-lost": { flow: { name: "notice", notice: "step-lost" } },
    empty: { sent: { policyNo: "", pid: "" } },
    "014": { sent: holder, answers: { registerInit: refusal("014") } },
    "429": {
      sent: holder,
      answers: { registerInit: { status: 429, body: { errorCode: "429", retryAfterSeconds: 600 } } },
    },
  },
);

const setPassword = statesOf(
  "set-password",
  { path: "/home/set-password", flow: registering },
  {
    resent: { flow: { ...registering, resent: true } },
    "rules-broken": { sent: { intent: "confirm", ...RULES_BROKEN_PASSWORDS } },
    "007": { sent: { intent: "confirm", ...newPassword }, answers: { registerConfirm: refusal("007") } },
    "016": { sent: { intent: "confirm", ...newPassword }, answers: { registerConfirm: refusal("016") } },
  },
);

const reset = [
  ...statesOf(
    "reset-password-init",
    { path: "/home/reset-password-init" },
    { empty: { sent: { username: "" } } },
  ),
  ...statesOf(
    "reset-password-submit",
    { path: "/home/reset-password-submit", flow: resetting },
    {
      "013": {
        sent: { intent: "confirm", ...newPassword },
        answers: { passwordResetConfirm: refusal("013") },
      },
    },
  ),
];

const reminder = [
  ...statesOf(
    "remind-login-init",
    { path: "/home/remind-login-init" },
    { empty: { sent: { policyNo: "" } } },
  ),
  ...statesOf(
    "remind-login-submit",
    { path: "/home/remind-login-submit", flow: reminding },
    {
      "007": { sent: { intent: "confirm", ...TYPED_CODE }, answers: { loginRemindConfirm: refusal("007") } },
    },
  ),
  ...statesOf(
    "remind-login-final",
    { path: "/home/remind-login-final", flow: { name: "reminded", username: "klient48210937" } },
    { "101": { sent: { password: "Inne-Haslo-2026" }, answers: { login: refusal("101") } } },
  ),
];

/** Every screen of who is not signed in, or on the way in. */
export const SIGNED_OUT: readonly ScreenState[] = [
  ...statesOf(
    "cookies",
    { path: "/home/cookies", consent: false },
    {
      blocked: { path: `/home/cookies?${BLOCKED}` },
    },
  ),
  ...login,
  ...mfa,
  ...register,
  ...setPassword,
  ...reset,
  ...reminder,
  ...statesOf("logout", { path: "/home/logout" }),
  ...statesOf("service", { path: "/service" }),
  ...statesOf("not-found", { path: "/nie-ma-takiej-strony" }),
];
