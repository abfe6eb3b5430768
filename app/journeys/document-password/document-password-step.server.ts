import type { LoaderFunctionArgs } from "@remix-run/node";
import { readCode, SPECIAL_CHARACTERS } from "~/contract/rules";
import { formTexts } from "~/forms/form-texts.server";
import { type TextKey, words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/layout.server";
import { signedIn } from "~/visit/gate.server";
import { type Visit, loadFromBackend } from "~/visit/visit.server";
import { answerCodeStep } from "../kit/steps.server";
import { codeStatus, codeWords } from "../kit/code-words.server";
import { newDocumentPassword } from "../kit/flows.server";
import { type DocumentPasswordMode, documentPasswordPath } from "../kit/addresses";
import { checklistWords } from "../kit/new-password-words.server";
import { findWeakness, personalOf, shownPersonal, weakPasswordNotice } from "../kit/password-advice.server";
import { documentPasswordForm } from "./forms";

/**
 * Loads the screen, or redirects to the mode that fits: change for customers with a document password, otherwise
 * create.
 */
export async function loadDocumentPassword(args: LoaderFunctionArgs, mode: DocumentPasswordMode) {
  const { visit, customer } = await signedIn(args);
  const { documentPassword, phone } = await loadFromBackend(visit, "profile");
  const fitting = documentPassword ? "change" : "create";
  if (mode !== fitting) throw visit.redirectTo(documentPasswordPath(fitting));
  const { t } = visit;
  const isForDocument = mode === "create" && waitingDocument(visit) !== undefined;
  const forDocument = isForDocument ? t("documentPassword:create.forDocument") : undefined;
  // A change needs no explanation.
  const why = mode === "create" ? `${forDocument ?? t("documentPassword:create.lead")} ` : "";
  return {
    title: signInTitle(t, t(`documentPassword:${mode}.title`)),
    managerName: `${t("cp:profile.docPassword")} (${customer.username})`,
    ...codeStatus(t, visit.flow(newDocumentPassword), false, phone),
    code: codeWords(t),
    texts: formTexts(t, documentPasswordForm),
    checklist: checklistWords(t),
    personal: shownPersonal(customer.username),
    characters: [
      t("documentPassword:chars.letters"),
      t("documentPassword:chars.digits"),
      t("documentPassword:chars.special", { chars: SPECIAL_CHARACTERS }),
    ],
    oldDocuments: mode === "change" ? t("documentPassword:change.oldDocs") : undefined,
    forDocument,
    words: {
      ...words(t, {
        header: `documentPassword:${mode}.header`,
        lead: `documentPassword:${mode}.lead`,
        submit: "documentPassword:submit",
        back: "documentPassword:back",
        notice: "documentPassword:notice",
        noPolish: "documentPassword:noPolish",
        charactersOpen: "documentPassword:chars.open",
        charactersHeader: "documentPassword:chars.header",
        charactersClose: "documentPassword:chars.close",
        warning: "common:a11y.warning",
      }),
      reason: why + t("common:code.reason"),
    },
  };
}

/** The document that the customer wanted but could not download without a password. */
function waitingDocument(visit: Visit): string | undefined {
  return visit.flow(newDocumentPassword)?.documentId;
}

/** Answers the form (specification §4, Document password). */
export async function answerDocumentPassword(args: LoaderFunctionArgs, mode: DocumentPasswordMode) {
  const { visit, customer } = await signedIn(args);
  return answerCodeStep(visit, {
    here: documentPasswordPath(mode),
    form: documentPasswordForm,
    flow: newDocumentPassword,
    remember: () => ({ documentId: waitingDocument(visit) }),
    send: (resend) => visit.call("documentPasswordInit", { mode, ...resend }),
    confirm: ({ authorizationCode, password }) =>
      visit.call("documentPasswordConfirm", { mode, authToken: readCode(authorizationCode), password }),
    advise: async ({ password }) => findWeakness(password, await personalOf(visit, customer.username)),
    done: async (_nothing, _values, weakness) => {
      const saved: TextKey = `cp:result.${mode}`;
      const documentId = waitingDocument(visit);
      if (weakness) await visit.leaveNotice({ ...weakPasswordNotice(weakness, saved), documentId });
      else if (documentId !== undefined)
        await visit.leaveNotice({ kind: "success", texts: [saved], documentId });
      else visit.forgetFlow();
      return visit.redirectTo(`/cp/profile?document-password-save-result=${mode}`);
    },
    back: () => {
      visit.forgetFlow();
      return visit.redirectTo("/cp/profile");
    },
  });
}
