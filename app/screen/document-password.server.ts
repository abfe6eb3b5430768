import type { LoaderFunctionArgs } from "@remix-run/node";
import { readCode } from "~/contract/identifiers";
import { SPECIAL_CHARACTERS } from "~/contract/rules";
import { FORMS } from "~/forms/forms";
import { textsFor, type Translate } from "~/i18n/texts.server";
import { words } from "~/i18n/words.server";
import { backendFor } from "~/session/backend.server";
import { forgetFlow, readFlow } from "~/session/flow.server";
import { enter, go } from "~/session/gate.server";
import { readData } from "~/session/read-data.server";
import { answerCodeStep } from "./code-step.server";
import { codeStatus, codeWords } from "./code-words.server";
import { ruleTexts } from "./form-texts.server";
import { checklistWords } from "./new-password.server";
import { secretWords } from "./secret-words.server";
import { customerTitle } from "./titles.server";

/** The two uses of the form for a document password (specification §3). */
export type DocumentPasswordMode = "create" | "change";

/** The address of a mode's screen. */
export function documentPasswordPath(mode: DocumentPasswordMode): string {
  return `/home/${mode}-document-password`;
}

/** What the screen shows. With a document password there is nothing to create, without one nothing to change. */
export async function loadDocumentPassword({ request }: LoaderFunctionArgs, mode: DocumentPasswordMode) {
  const { username } = await enter(request, "signed-in");
  const { documentPassword } = await readData(request, "profile");
  const fitting = documentPassword ? "change" : "create";
  if (mode !== fitting) throw go(request, documentPasswordPath(fitting));
  const t = await textsFor(request);
  return {
    title: customerTitle(t, t(`documentPassword:${mode}.title`)),
    managerName: `${t("cp:profile.docPassword")} (${username})`,
    ...codeStatus(t, await readFlow(request, "document-password"), false),
    code: codeWords(t),
    secret: secretWords(t),
    texts: ruleTexts(t, FORMS.documentPassword),
    checklist: checklistWords(t),
    characters: [
      t("documentPassword:chars.letters"),
      t("documentPassword:chars.digits"),
      t("documentPassword:chars.special", { chars: SPECIAL_CHARACTERS }),
    ],
    oldDocuments: mode === "change" ? t("documentPassword:change.oldDocs") : undefined,
    words: words(t, {
      header: `documentPassword:${mode}.header`,
      lead: `documentPassword:${mode}.lead`,
      submit: "documentPassword:submit",
      back: "documentPassword:back",
      notice: "documentPassword:notice",
      password: "documentPassword:new",
      repeat: "documentPassword:repeat",
      noPolish: "documentPassword:noPolish",
      charactersOpen: "documentPassword:chars.open",
      charactersHeader: "documentPassword:chars.header",
      charactersClose: "documentPassword:chars.close",
      username: "login:username.label",
      warning: "common:a11y.warning",
    }),
  };
}

/** Answers the form (specification §4, Document password). */
export async function answerDocumentPassword({ request }: LoaderFunctionArgs, mode: DocumentPasswordMode) {
  await enter(request, "signed-in");
  const backend = backendFor(request);
  const flow = await readFlow(request, "document-password");
  return answerCodeStep(request, {
    here: documentPasswordPath(mode),
    form: FORMS.documentPassword,
    labels,
    atBackend: (t) => ({ password: t("documentPassword:sameAsPortal") }),
    codeSent: flow?.codeSentAt !== undefined,
    send: (resend) => backend.call("documentPasswordInit", { mode, ...resend }),
    remember: (sent) => ({ name: "document-password", ...sent }),
    confirm: ({ authorizationCode, password }) =>
      backend.call("documentPasswordConfirm", { mode, authToken: readCode(authorizationCode), password }),
    done: () => {
      forgetFlow();
      return go(request, `/cp/profile?document-password-save-result=${mode}`);
    },
    back: () => {
      forgetFlow();
      return go(request, "/cp/profile");
    },
  });
}

function labels(t: Translate) {
  return {
    authorizationCode: t("common:code.label"),
    password: t("documentPassword:new"),
    passwordRepeat: t("documentPassword:repeat"),
  };
}
