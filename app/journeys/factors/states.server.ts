import { sampleValues } from "~/forms/form-definition";
import { inFlow } from "~/visit/flow.server";
import { factorChange } from "../kit/flows.server";
import { appCodeForm } from "../kit/forms";
import {
  CODE_SENT_TO,
  CONFIRM,
  PREPARED_APP,
  RECOVERY_CODE,
  refusal,
  sampleSent,
  statesOf,
  TWO_APPS,
} from "../kit/screen-states.server";
import { newAppForm, recoveryCodeKeptForm } from "./forms";

const session = "active";
const withApps = { factors: { status: 200, body: TWO_APPS } };
const begun = (path: string, memory: object = CODE_SENT_TO) =>
  inFlow(factorChange, { resent: false, path, method: "sms", ...memory });
const byApp = (path: string) => inFlow(factorChange, { resent: false, path, method: "app" });

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
    "recovery-code",
    { path: recoveryPath, session, answers: withApps },
    {
      shown: { flow: shown },
      "not-the-end": { flow: shown, sent: { ...sampleSent(recoveryCodeKeptForm), last: "XXXX" } },
    },
  ),
  ...statesOf(
    "remove-factor",
    { path: removePath, session, answers: withApps },
    {
      "by-app": { flow: byApp(removePath) },
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
