import { keptValues, sampleValues } from "~/forms/form-definition";
import { refusal, statesOf } from "./screen-states";
import { STEP_LOST, inFlow, noticeFlow } from "~/visit/flow.server";
import { newPasswordForm } from "~/journeys/kit/forms";
import {
  CODE_ENDED_FLOW,
  CODE_SENT,
  CONFIRM,
  RULES_BROKEN_PASSWORDS,
  WEAK_PASSWORDS,
  sampleSent,
} from "./screen-states";
import { registration, registerForm } from "~/journeys/register/register";

const details = sampleValues(registerForm);
const typed = sampleSent(newPasswordForm);
const registering = inFlow(registration, { ...CODE_SENT, ...details });

/** The states of `/home/register` and `/home/set-password`. */
export const REGISTER_STATES = [
  ...statesOf(
    "register",
    { path: "/home/register" },
    {
      "step-lost": { flow: inFlow(noticeFlow, STEP_LOST) },
      "other-language": { path: "/home/register?language" },
      empty: { sent: keptValues(registerForm) },
      "014": { sent: details, answers: { registerInit: refusal("014") } },
      "429": {
        sent: details,
        answers: { registerInit: { status: 429, body: { errorCode: "429", retryAfterSeconds: 600 } } },
      },
    },
  ),
  ...statesOf(
    "set-password",
    { path: "/home/set-password", flow: registering },
    {
      resent: { flow: inFlow(registration, { ...CODE_SENT, ...details, resent: true }) },
      "rules-broken": { sent: { ...CONFIRM, ...RULES_BROKEN_PASSWORDS } },
      "007": { sent: typed, answers: { registerConfirm: refusal("007") } },
      // Signed-out visitors must not learn until when a code was valid (S3).
      "code-ended": {
        flow: inFlow(registration, { ...CODE_ENDED_FLOW, ...details }),
        sent: typed,
        answers: { registerConfirm: refusal("010") },
      },
      "016": { sent: typed, answers: { registerConfirm: refusal("016") } },
      weak: { sent: { ...CONFIRM, ...WEAK_PASSWORDS }, answers: { registerConfirm: refusal("007") } },
    },
  ),
];
