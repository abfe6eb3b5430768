import { sampleValues } from "~/forms/form-definition";
import { inFlow } from "~/visit/flow.server";
import { factorChange } from "~/journeys/kit/flows";
import { appCodeForm, passkeyForm } from "~/journeys/kit/forms";
import {
  CODE_SENT_TO,
  CONFIRM,
  PASSKEY_OPTIONS,
  PREPARED_APP,
  PREPARED_PASSKEY,
  PROFILE,
  RECOVERY_CODE,
  refusal,
  sampleSent,
  statesOf,
  TWO_APPS,
  WITH_PASSKEYS,
} from "./screen-states";
import { newAppForm } from "~/journeys/factors/add-app";
import { newPasskeyForm } from "~/journeys/factors/add-passkey";
import { recoveryCodeKeptForm } from "~/journeys/factors/recovery-code";

const session = "active";
const withApps = { factors: { status: 200, body: TWO_APPS } };
const begun = (path: string, memory: object = CODE_SENT_TO) =>
  inFlow(factorChange, { resent: false, path, method: "sms", ...memory });
const byApp = (path: string) => inFlow(factorChange, { resent: false, path, method: "app" });

const withPasskeys = { factors: { status: 200, body: WITH_PASSKEYS } };
const byPasskey = (path: string) =>
  inFlow(factorChange, {
    resent: false,
    path,
    method: "passkey",
    options: PASSKEY_OPTIONS,
    askedAt: Date.UTC(2099, 11, 30, 8),
  });
/** A session that a recovery code has opened. A gallery's page must look the same every day. */
const withoutProof = {
  factors: { status: 200, body: { ...TWO_APPS, withoutProofUntil: "2099-12-30T08:12:00.000Z" } },
};
const passkeyPath = "/home/add-passkey";
const making = inFlow(factorChange, { resent: false, path: passkeyPath, passkey: PREPARED_PASSKEY });
const sentPasskey = { ...sampleSent(newPasskeyForm), id: PREPARED_PASSKEY.id };

const addPath = "/home/add-app";
const connecting = inFlow(factorChange, { resent: false, path: addPath, app: PREPARED_APP });
const sentApp = { ...sampleSent(newAppForm), id: PREPARED_APP.id };
const recoveryPath = "/home/recovery-code";
const shown = inFlow(factorChange, {
  resent: false,
  path: recoveryPath,
  recoveryCode: RECOVERY_CODE,
  after: "recovery",
});
const WITH_NEW_PHONE = {
  status: 200,
  body: { ...PROFILE, newPhone: { phone: "••• ••• 555", from: "2099-12-30T08:01:00.000Z" } },
};
const removePath = "/home/remove-factor?id=gallery2";

/** The states of the screens that change second factors. */
export const FACTOR_STATES = [
  ...statesOf(
    "add-app",
    { path: addPath, session },
    {
      lost: { flow: inFlow(factorChange, { resent: false, path: addPath, lost: true }) },
      "code-sent": { flow: begun(addPath) },
      "by-app": { flow: byApp(addPath), answers: withApps },
      "by-app-007": {
        path: `${addPath}?method=app`,
        flow: byApp(addPath),
        sent: { ...CONFIRM, ...sampleValues(appCodeForm), method: "app" },
        answers: { ...withApps, appPrepare: refusal("007") },
      },
      connect: { flow: connecting },
      "connect-empty": { flow: connecting, sent: { ...CONFIRM, id: PREPARED_APP.id, code: "", name: "" } },
      "connect-007": { flow: connecting, sent: sentApp, answers: { appConfirm: refusal("007") } },
    },
  ),
  ...statesOf(
    "add-passkey",
    { path: passkeyPath, session, answers: withPasskeys },
    {
      lost: { flow: inFlow(factorChange, { resent: false, path: passkeyPath, lost: true }) },
      "code-sent": { flow: begun(passkeyPath) },
      "by-passkey": { flow: byPasskey(passkeyPath) },
      "by-passkey-007": {
        path: `${passkeyPath}?method=passkey`,
        flow: byPasskey(passkeyPath),
        sent: { ...CONFIRM, ...sampleValues(passkeyForm), method: "passkey" },
        answers: { ...withPasskeys, passkeyPrepare: refusal("007") },
      },
      make: { flow: making },
      "make-without-scripts": { flow: making, sent: { ...sentPasskey, response: "" } },
      "make-unsupported": { flow: making, sent: { ...sentPasskey, response: "unsupported" } },
      "make-cancelled": { flow: making, sent: { ...sentPasskey, response: "cancelled" } },
      "make-known": { flow: making, sent: { ...sentPasskey, response: "known" } },
      "make-007": {
        flow: making,
        sent: sentPasskey,
        answers: { ...withPasskeys, passkeyConfirm: refusal("007") },
      },
    },
  ),
  ...statesOf(
    "recovery-code",
    { path: recoveryPath, session, answers: withApps },
    {
      shown: { flow: shown },
      "without-proof": { answers: withoutProof },
      "not-the-end": { flow: shown, sent: { ...sampleSent(recoveryCodeKeptForm), last: "XXXX" } },
    },
  ),
  ...statesOf(
    "remove-factor",
    { path: removePath, session, answers: withApps },
    {
      "by-app": { flow: byApp(removePath) },
      passkey: { answers: withPasskeys },
      "without-proof": { answers: withoutProof },
    },
  ),
  ...statesOf(
    "keep-phone",
    { path: "/home/keep-phone", session, answers: { ...withApps, profile: WITH_NEW_PHONE } },
    {
      "by-app": { flow: byApp("/home/keep-phone") },
    },
  ),
  ...statesOf(
    "sms-at-sign-in",
    { path: "/home/sms-at-sign-in", session, answers: withApps },
    {
      "turn-on": { answers: { factors: { status: 200, body: { ...TWO_APPS, sms: false } } } },
    },
  ),
];
