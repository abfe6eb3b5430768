import type { LoaderFunctionArgs } from "@remix-run/node";
import { SPECIAL_CHARACTERS } from "~/contract/rules";
import { type TextKey, words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/titles";
import { signedIn } from "~/visit/gate.server";
import { type Visit, loadFromBackend } from "~/visit/visit.server";
import { codeStatus } from "../kit/code-words";
import { newDocumentPassword } from "../kit/flows";
import { type DocumentPasswordMode, documentPasswordPath } from "../kit/addresses";
import { checklistWords } from "../kit/new-password-words";
import { findWeakness, personalOf, shownPersonal, weakPasswordNotice } from "../kit/password-advice";
import { answerProof, loadProven } from "../kit/proof";
import { documentPasswordForms } from "./forms";

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
  const { screen, asks, lead } = await loadProven(visit, {
    path: documentPasswordPath(mode),
    flow: newDocumentPassword,
    ask: () => visit.call("documentPasswordInit", { mode, method: "passkey" }),
    status: codeStatus(t, visit.flow(newDocumentPassword), false, phone),
  });
  return {
    title: signInTitle(t, t(`documentPassword:${mode}.title`)),
    managerName: `${t("cp:profile.docPassword")} (${customer.username})`,
    ...screen,
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
      ...lead,
      reason: why + t(asks),
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
  return answerProof(visit, {
    path: documentPasswordPath(mode),
    forms: documentPasswordForms,
    flow: newDocumentPassword,
    remember: () => ({ documentId: waitingDocument(visit) }),
    send: (by) => visit.call("documentPasswordInit", { mode, ...by }),
    confirm: ({ code, ...proof }, { password }) =>
      visit.call("documentPasswordConfirm", { mode, authToken: code, password, ...proof }),
    advise: async ({ password }) => findWeakness(password, await personalOf(visit, customer.username)),
    done: (weakness) => {
      const saved: TextKey = `cp:result.${mode}`;
      const documentId = waitingDocument(visit);
      const to = `/cp/profile?document-password-save-result=${mode}` as const;
      if (weakness) return { to, notice: { ...weakPasswordNotice(weakness, saved), documentId } };
      if (documentId === undefined) return { to };
      return { to, notice: { kind: "success", texts: [saved], documentId } };
    },
    back: () => {
      visit.forgetFlow();
      return visit.redirectTo("/cp/profile");
    },
  });
}
