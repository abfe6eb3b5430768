import { refusal, statesOf } from "~/gallery/screen-state.server";
import { WITH_DOCUMENT_PASSWORD } from "~/gallery/scripted-backend.server";
import { inFlow } from "~/visit/flow.server";
import { newDocumentPassword } from "../kit/document-password-flow.server";
import { CODE_SENT_TO, CONFIRM, TYPED_CODE } from "../kit/typed-states.server";

const session = "active";
const flow = inFlow(newDocumentPassword, CODE_SENT_TO);
const typed = { ...TYPED_CODE, password: "Dokument-2026!", passwordRepeat: "Dokument-2026!" };

/** The states of `/home/create-document-password` and `/home/change-document-password`. */
export const DOCUMENT_PASSWORD_STATES = [
  ...statesOf(
    "create-document-password",
    { path: "/home/create-document-password", session, flow },
    {
      "rules-broken": {
        sent: { ...CONFIRM, ...TYPED_CODE, password: "Zażółć-gęślą 1", passwordRepeat: "inne" },
      },
      "007": { sent: { ...CONFIRM, ...typed }, answers: { documentPasswordConfirm: refusal("007") } },
      "016": { sent: { ...CONFIRM, ...typed }, answers: { documentPasswordConfirm: refusal("016") } },
    },
  ),
  ...statesOf("change-document-password", {
    path: "/home/change-document-password",
    session,
    flow,
    answers: WITH_DOCUMENT_PASSWORD,
  }),
];
