import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { PASSWORD_LENGTH, SPECIAL_CHARACTERS } from "~/contract/rules";
import { defineForm } from "~/forms/form-definition";
import { PASSWORD_RULES } from "~/contract/rules/field-rules";
import type { TextKey } from "~/i18n/texts.server";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { Alert } from "~/ui/alert";
import { BulletList } from "~/ui/bullet-list";
import { PlainButtonLink } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { InfoCircle } from "~/ui/icons";
import { IconLink } from "~/ui/text-link";
import { signedIn } from "~/visit/gate.server";
import { loadFromBackend, type Visit } from "~/visit/visit.server";
import { type DocumentPasswordMode, documentPasswordPath } from "../kit/addresses";
import { newDocumentPassword } from "../kit/flows";
import { CODE_FIELD } from "../kit/forms";
import { findWeakness, personalOf, shownPersonal, weakPasswordNotice } from "../kit/password-advice";
import { PasswordChecklist } from "../kit/password-checklist";
import { answerProof, askingTexts, loadProof } from "../kit/proof";
import { ProofScreen, useProofForm } from "../kit/proof-screen";
import { SavedName, SecretField } from "../kit/secret-field";
import { formsByMethod } from "../kit/methods";

/** `/home/create-document-password`, `/home/change-document-password`. */
export const documentPasswordForm = defineForm(
  // The id that password managers know from earlier releases (C-38).
  "documentPassword",
  {
    authorizationCode: CODE_FIELD,
    password: {
      rule: "newDocumentPassword",
      label: "documentPassword:new",
      secret: true,
      refusedByBackend: "documentPassword:sameAsPortal",
      sample: "Dokument-2026!",
    },
    passwordRepeat: {
      rule: "repeatedDocumentPassword",
      repeats: "password",
      label: "documentPassword:repeat",
      secret: true,
    },
  },
);

/** The form for each method. */
export const documentPasswordForms = formsByMethod(documentPasswordForm);

/** The mode of an address: both show one form. */
function modeOf({ request }: LoaderFunctionArgs): DocumentPasswordMode {
  return new URL(request.url).pathname.startsWith(documentPasswordPath("change")) ? "change" : "create";
}

/** Loads the screen, or redirects to the mode that fits: change for customers with a document password, else create. */
export async function loader(args: LoaderFunctionArgs) {
  const mode = modeOf(args);
  const { visit, customer } = await signedIn(args);
  const { documentPassword, phone } = await loadFromBackend(visit, "profile");
  const fitting = documentPassword ? "change" : "create";
  const policyId = new URL(visit.request.url).searchParams.get("policy");
  if (policyId !== null)
    await visit.remember(newDocumentPassword, {
      resent: false,
      ...visit.flow(newDocumentPassword),
      policyId,
    });
  if (policyId !== null || mode !== fitting) throw visit.redirectTo(documentPasswordPath(fitting));
  const { t } = visit;
  return {
    title: signInTitle(t, t(`documentPassword:${mode}.title`)),
    mode,
    customer,
    isForDocument: mode === "create" && startedFrom(visit).documentId !== undefined,
    proof: await loadProof(visit, {
      path: documentPasswordPath(mode),
      flow: newDocumentPassword,
      ask: () => visit.call("documentPasswordInit", { mode, method: "passkey" }),
      phone: () => Promise.resolve(phone),
    }),
  };
}

/** The document that the customer could not download without a password, or the policy whose page led here. */
function startedFrom(visit: Visit) {
  const { documentId, policyId } = visit.flow(newDocumentPassword) ?? {};
  return { documentId, policyId };
}

/** Answers the form (specification §4, Document password). */
export async function action(args: ActionFunctionArgs) {
  const mode = modeOf(args);
  const { visit, customer } = await signedIn(args);
  return answerProof(visit, {
    here: documentPasswordPath(mode),
    forms: documentPasswordForms,
    flow: newDocumentPassword,
    remember: (_posted, proof) => visit.remember(newDocumentPassword, { ...startedFrom(visit), ...proof }),
    send: (by) => visit.call("documentPasswordInit", { mode, ...by }),
    confirm: ({ authorizationCode: authToken, ...proof }, { password }) =>
      visit.call("documentPasswordConfirm", { mode, authToken, password, ...proof }),
    advise: async ({ password }) => findWeakness(password, await personalOf(visit, customer)),
    done: (weakness) => {
      const saved: TextKey = `cp:result.${mode}`;
      const from = startedFrom(visit);
      const to = `/cp/profile?document-password-save-result=${mode}` as const;
      if (weakness) return { to, notice: { ...weakPasswordNotice(weakness, saved), ...from } };
      if (from.documentId === undefined && from.policyId === undefined) return { to };
      return { to, notice: { kind: "success", texts: [saved], ...from } };
    },
    back: "/cp/profile",
  });
}

const CHECKLIST_ID = "documentPassword-rules";
const CHARACTERS_ID = "allowed-characters";
/** Keeps password managers from saving this one as the portal's password (C-38). */
const NEW_PASSWORD = {
  autoComplete: "section-documents new-password",
  minLength: PASSWORD_LENGTH.min,
  passwordrules: PASSWORD_RULES,
} as const;

export default function DocumentPassword() {
  const t = useTexts();
  const { mode, proof, customer, isForDocument } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useProofForm(documentPasswordForms, proof, { refused });
  const password = form.input("password");
  const asking = askingTexts(proof);
  const forDocument = isForDocument ? t("documentPassword:create.forDocument") : undefined;
  // A change needs no explanation.
  const why = mode === "create" ? `${forDocument ?? t("documentPassword:create.lead")} ` : "";
  return (
    <ProofScreen
      proof={proof}
      header={t(`documentPassword:${mode}.header`)}
      lead={t(asking.lead ?? `documentPassword:${mode}.lead`)}
      reason={why + t(asking.reason)}
      submit={t("documentPassword:submit")}
      back={t("documentPassword:back")}
      form={form}
      refused={refused}
      notice={
        <Alert kind="warning">
          {forDocument !== undefined && <>{forDocument} </>}
          {t("documentPassword:notice")}
          {mode === "change" && <> {t("documentPassword:change.oldDocs")}</>}
        </Alert>
      }
      // So that password managers don't mistake this password for the portal's (C-38).
      beforeCode={
        <SavedName name={`${t("cp:profile.docPassword")} (${customer.username})`} section="documents" />
      }
      fields={
        <>
          <SecretField
            {...password}
            {...NEW_PASSWORD}
            hint={t("documentPassword:noPolish")}
            hintUnder
            describedBy={CHECKLIST_ID}
            besideLabel={
              <IconLink
                href={`#${CHARACTERS_ID}`}
                icon={InfoCircle}
                text={t("documentPassword:chars.open")}
              />
            }
          >
            <PasswordChecklist
              id={CHECKLIST_ID}
              personal={shownPersonal(customer.username, customer.name)}
              advice={refused?.advice}
              isRefused={password.error !== undefined}
            />
          </SecretField>
          <SecretField {...form.input("passwordRepeat")} {...NEW_PASSWORD} />
        </>
      }
      afterForm={<AllowedCharacters />}
    />
  );
}

function AllowedCharacters() {
  const t = useTexts();
  const characters = [
    t("documentPassword:chars.letters"),
    t("documentPassword:chars.digits"),
    t("documentPassword:chars.special", { chars: SPECIAL_CHARACTERS }),
  ];
  return (
    <Dialog
      id={CHARACTERS_ID}
      header={t("documentPassword:chars.header")}
      body={<BulletList items={characters} />}
    >
      <PlainButtonLink href={`#${documentPasswordForm.id}-password`} data-escape>
        {t("documentPassword:chars.close")}
      </PlainButtonLink>
    </Dialog>
  );
}
