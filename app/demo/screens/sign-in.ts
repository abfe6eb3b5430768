import { PASSKEY_SIGN_IN } from "~/contract/rules/page";
import { sampleValues } from "~/forms/form-definition";
import { refusal, statesOf } from "./screen-states";
import {
  EXPIRED_UNSAVED,
  type Notice,
  SESSION_EXPIRED,
  inFlow,
  noticeFlow,
  typedUsername,
} from "~/visit/flow.server";
import { appCodeForm, recoveryCodeForm, signInForm } from "~/journeys/kit/forms";
import { signInFlow } from "~/journeys/kit/flows";
import { passwordChangedNotice } from "~/journeys/kit/password-advice";
import {
  ANNOUNCEMENT,
  CODE_ENDED_FLOW,
  CODE_SENT,
  CODE_SENT_TO,
  CONFIRM,
  PASSKEY_OPTIONS,
  sampleSent,
} from "./screen-states";
import { signInCodeForm } from "~/journeys/sign-in/mfa";

const typed = sampleValues(signInForm);
const signingIn = { ...CODE_SENT_TO, trust: true };

const byPasskey = inFlow(signInFlow, {
  resent: false,
  trust: true,
  methods: ["passkey", "recovery", "sms"],
  method: "passkey",
  options: PASSKEY_OPTIONS,
  askedAt: Date.UTC(2099, 11, 30, 8),
});
const sentPasskey = {
  flow: byPasskey,
  path: "/home/mfa?method=passkey",
  sent: { ...CONFIRM, method: "passkey", response: "{}", trustDevice: "Y" },
};
/** The browser's reason why there is no answer. */
const withoutAnswer = (response: string) => ({ ...sentPasskey, sent: { ...sentPasskey.sent, response } });

/** A sign-in by a passkey alone, and the browser's answer or its reason why there is none. */
const byAnyPasskey = (response: string) => ({
  intent: PASSKEY_SIGN_IN.intent,
  username: typed.username,
  response,
});

const byFactor = (method: string, notice?: Notice) =>
  inFlow(signInFlow, { resent: false, trust: true, methods: ["app", "recovery", "sms"], method, notice });

/** The states of `/home`, `/home/mfa` and `/home/switch-account`. */
export const SIGN_IN_STATES = [
  ...statesOf(
    "login",
    { path: "/home" },
    {
      "session-expired": {
        flow: inFlow(noticeFlow, SESSION_EXPIRED),
      },
      "session-expired-unsaved": { flow: inFlow(noticeFlow, EXPIRED_UNSAVED) },
      "username-kept": { flow: inFlow(typedUsername, { username: "piotr.wisniewski" }) },
      announcement: { announcement: ANNOUNCEMENT },
      empty: { sent: { username: "", password: "" } },
      "101": { sent: typed, answers: { login: refusal("101") } },
      "101-last-try": { sent: typed, answers: { login: refusal("101", { triesLeft: 1 }) } },
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
      unavailable: {
        sent: typed,
        answers: { login: { status: 503, body: { errorCode: "unavailable", retryAfterSeconds: 5 } } },
      },
      "passkey-none": { sent: byAnyPasskey("cancelled") },
      "passkey-wrong": { sent: byAnyPasskey("{}"), answers: { passkeySignInConfirm: refusal("007") } },
      "passkey-106": { sent: byAnyPasskey("{}"), answers: { passkeySignInConfirm: refusal("106") } },
    },
  ),
  ...statesOf(
    "mfa",
    { path: "/home/mfa", session: "pending", flow: inFlow(signInFlow, signingIn) },
    {
      resent: { flow: inFlow(signInFlow, { ...signingIn, resent: true }) },
      "number-unknown": { flow: inFlow(signInFlow, { ...CODE_SENT, trust: true }) },
      // A gallery's page must look the same every day, but not on the last day of 2099.
      "no-code-until": {
        flow: inFlow(signInFlow, { resent: false, trust: true, noCodeUntil: Date.UTC(2099, 11, 30, 8) }),
      },
      "without-trust": { flow: inFlow(signInFlow, { ...signingIn, trust: false }) },
      empty: { sent: { ...CONFIRM, authorizationCode: "", trustDevice: "Y" } },
      "007": {
        sent: { ...sampleSent(signInCodeForm), trustDevice: "Y" },
        answers: { activateSessionConfirm: refusal("007") },
      },
      "code-ended": {
        flow: inFlow(signInFlow, { ...signingIn, ...CODE_ENDED_FLOW }),
        sent: { ...sampleSent(signInCodeForm), trustDevice: "Y" },
        answers: { activateSessionConfirm: refusal("010") },
      },
      app: { flow: byFactor("app") },
      "app-empty": {
        flow: byFactor("app"),
        path: "/home/mfa?method=app",
        sent: { ...CONFIRM, method: "app", authorizationCode: "" },
      },
      "app-007": {
        flow: byFactor("app"),
        path: "/home/mfa?method=app",
        sent: { ...sampleSent(appCodeForm), method: "app" },
        answers: { activateSessionConfirm: refusal("007") },
      },
      "app-016": {
        flow: byFactor("app"),
        path: "/home/mfa?method=app",
        sent: { ...sampleSent(appCodeForm), method: "app" },
        answers: { activateSessionConfirm: refusal("016") },
      },
      "app-016-without-sms": {
        flow: inFlow(signInFlow, { resent: false, trust: true, methods: ["app", "recovery"], method: "app" }),
        path: "/home/mfa?method=app",
        sent: { ...sampleSent(appCodeForm), method: "app" },
        answers: { activateSessionConfirm: refusal("016") },
      },
      passkey: { flow: byPasskey },
      "passkey-without-scripts": withoutAnswer(""),
      "passkey-unsupported": withoutAnswer("unsupported"),
      "passkey-cancelled": withoutAnswer("cancelled"),
      "passkey-failed": withoutAnswer("failed"),
      "passkey-007": { ...sentPasskey, answers: { activateSessionConfirm: refusal("007") } },
      "passkey-016": { ...sentPasskey, answers: { activateSessionConfirm: refusal("016") } },
      "passkey-429": {
        flow: inFlow(signInFlow, { resent: false, trust: true, methods: ["passkey", "sms"], method: "sms" }),
        path: "/home/mfa?method=passkey",
        answers: {
          activateSessionInit: { status: 429, body: { errorCode: "429", retryAfterSeconds: 540 } },
        },
      },
      "after-reset": { flow: byFactor("app", passwordChangedNotice()) },
      recovery: { flow: byFactor("app"), path: "/home/mfa?method=recovery" },
      "recovery-007": {
        flow: byFactor("app"),
        path: "/home/mfa?method=recovery",
        sent: { ...sampleSent(recoveryCodeForm), method: "recovery" },
        answers: { activateSessionConfirm: refusal("007") },
      },
      "sms-instead": { flow: byFactor("app"), path: "/home/mfa?method=sms" },
      "sms-beside": {
        flow: inFlow(signInFlow, { ...signingIn, methods: ["sms", "app", "recovery"], method: "sms" }),
      },
      "016": { sent: sampleSent(signInCodeForm), answers: { activateSessionConfirm: refusal("016") } },
    },
  ),
  { id: "mfa/no-code-yet", path: "/home/mfa", session: "pending" } as const,
  ...statesOf("switch-account", { path: "/home/switch-account", session: "active" }),
];
