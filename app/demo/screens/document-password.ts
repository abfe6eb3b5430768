import { refusal, statesOf, WITH_DOCUMENT_PASSWORD } from "./screen-states";
import { inFlow } from "~/visit/flow.server";
import { newDocumentPassword } from "~/journeys/kit/flows";
import { CODE_ENDED_FLOW, CODE_SENT_TO, sampleSent, statesByMethod } from "./screen-states";
import { documentPasswordForm, documentPasswordForms } from "~/journeys/document-password/document-password";

const session = "active";
const flow = inFlow(newDocumentPassword, CODE_SENT_TO);
const typed = sampleSent(documentPasswordForm);
const byMethod = {
  flow: (method: object) => inFlow(newDocumentPassword, { resent: false, ...method }),
  forms: documentPasswordForms,
  confirm: "documentPasswordConfirm",
} as const;

/** The states of `/home/create-document-password` and `/home/change-document-password`. */
export const DOCUMENT_PASSWORD_STATES = [
  ...statesOf(
    "create-document-password",
    { path: "/home/create-document-password", session, flow },
    {
      "rules-broken": {
        sent: { ...typed, password: "Zażółć-gęślą 1", passwordRepeat: "inne" },
      },
      "007": { sent: typed, answers: { documentPasswordConfirm: refusal("007") } },
      "code-ended": {
        flow: inFlow(newDocumentPassword, CODE_ENDED_FLOW),
        sent: typed,
        answers: { documentPasswordConfirm: refusal("010") },
      },
      "016": { sent: typed, answers: { documentPasswordConfirm: refusal("016") } },
    },
  ),
  ...statesOf("change-document-password", {
    path: "/home/change-document-password",
    session,
    flow,
    answers: WITH_DOCUMENT_PASSWORD,
  }),
  ...statesByMethod("create-document-password", { ...byMethod, path: "/home/create-document-password" }),
  ...statesByMethod("change-document-password", {
    ...byMethod,
    path: "/home/change-document-password",
    answers: WITH_DOCUMENT_PASSWORD,
  }),
  { id: "create-document-password/no-code-yet", path: "/home/create-document-password", session } as const,
  {
    id: "create-document-password/no-code-yet-for-document",
    path: "/home/create-document-password",
    session,
    flow: inFlow(newDocumentPassword, { resent: false, documentId: "gallery1" }),
  } as const,
  {
    id: "change-document-password/no-code-yet",
    path: "/home/change-document-password",
    session,
    answers: WITH_DOCUMENT_PASSWORD,
  } as const,
];
