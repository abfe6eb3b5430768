import { PASSWORD_LENGTH } from "~/contract/rules";
import type { RefusedForm } from "~/forms/refused-form";
import { PASSWORD_RULES } from "~/forms/rules/field-rules";
import { useScreenForm } from "~/forms/screen-form";
import { Alert } from "~/ui/alert";
import { BulletList } from "~/ui/bullet-list";
import { Dialog } from "~/ui/dialog";
import { PlainButtonLink } from "~/ui/button";
import { IconLink } from "~/ui/text-link";
import { InfoCircle } from "~/ui/icons";
import { CodeScreen } from "../kit/code-screen";
import { PasswordChecklist } from "../kit/password-checklist";
import { formInWay } from "../kit/proof-forms";
import { SavedName } from "../kit/saved-name";
import { SecretField } from "../kit/secret-field";
import type { loadDocumentPassword } from "./document-password-step";
import { documentPasswordForm, documentPasswordForms } from "./forms";

type Loaded = Awaited<ReturnType<typeof loadDocumentPassword>>;

const CHECKLIST_ID = "documentPassword-rules";
const CHARACTERS_ID = "allowed-characters";
/** Keeps password managers from saving this one as the portal's password (C-38). */
const NEW_PASSWORD = {
  autoComplete: "section-documents new-password",
  minLength: PASSWORD_LENGTH.min,
  passwordrules: PASSWORD_RULES,
} as const;

/** Create and change document password: one form in two modes. */
export function DocumentPasswordScreen(
  props: Omit<Loaded, "title"> & { readonly refused: RefusedForm | undefined },
) {
  const {
    refused,
    words,
    checklist,
    personal,
    characters,
    oldDocuments,
    forDocument,
    managerName,
    ...screen
  } = props;
  const form = useScreenForm(formInWay(documentPasswordForms, screen.proof.method), { refused });
  const password = form.input("password");
  const repeat = form.input("passwordRepeat");
  return (
    <CodeScreen
      {...screen}
      words={words}
      form={form}
      refused={refused}
      notice={
        <Alert kind="warning">
          {forDocument !== undefined && <>{forDocument} </>}
          {words.notice}
          {oldDocuments !== undefined && <> {oldDocuments}</>}
        </Alert>
      }
      // So that password managers don't mistake this password for the portal's (C-38).
      beforeCode={<SavedName name={managerName} section="documents" />}
      fields={
        <>
          <SecretField
            {...password}
            {...NEW_PASSWORD}
            hint={words.noPolish}
            hintUnder
            describedBy={CHECKLIST_ID}
            besideLabel={
              <IconLink href={`#${CHARACTERS_ID}`} icon={InfoCircle} text={words.charactersOpen} />
            }
          >
            <PasswordChecklist
              id={CHECKLIST_ID}
              words={checklist}
              personal={personal}
              advice={refused?.advice}
              isRefused={password.error !== undefined}
            />
          </SecretField>
          <SecretField {...repeat} {...NEW_PASSWORD} />
        </>
      }
      afterForm={
        <Dialog id={CHARACTERS_ID} header={words.charactersHeader} body={<BulletList items={characters} />}>
          <PlainButtonLink href={`#${documentPasswordForm.id}-password`} data-escape>
            {words.charactersClose}
          </PlainButtonLink>
        </Dialog>
      }
    />
  );
}
