import { PASSWORD_LENGTH } from "~/contract/rules";
import type { FormDefinition } from "~/forms/form-definition";
import type { RefusedForm } from "~/forms/refused-form";
import { PASSWORD_RULES } from "~/forms/rules/field-rules";
import { useScreenForm } from "~/forms/screen-form";
import { TextField } from "~/ui/text-field";
import { CodeScreen, type CodeScreenProps } from "./code-screen";
import type { CodeStatus } from "./code-words";
import { newPasswordForm } from "./forms";
import type { newPasswordWords } from "./new-password-words";
import { PasswordChecklist } from "./password-checklist";
import { SecretField } from "./secret-field";

type Words = ReturnType<typeof newPasswordWords>;

/** The differences between the three new-password screens. */
interface NewPasswordScreenProps
  extends Words,
    CodeStatus,
    Pick<CodeScreenProps<string>, "here" | "step" | "notice" | "arrival" | "proof" | "hidden"> {
  readonly refused: RefusedForm | undefined;
  /** The form in the way that confirms it; by default with a code by SMS. */
  readonly definition?: FormDefinition<keyof typeof newPasswordForm.fields>;
}

const CHECKLIST_ID = "new-password-rules";

/** Set, change and reset password: one form in three modes. */
export function NewPasswordScreen({
  words,
  checklist,
  username,
  personal,
  refused,
  definition = newPasswordForm,
  ...screen
}: NewPasswordScreenProps) {
  const form = useScreenForm(definition, { refused });
  const newPassword = form.input("newPassword");
  const repeat = form.input("newPasswordRepeat");
  return (
    <CodeScreen
      {...screen}
      words={words}
      form={form}
      refused={refused}
      beforeCode={
        username !== undefined && (
          <div className="mb-6">
            <TextField
              id="new-password-username"
              label={words.username}
              defaultValue={username}
              readOnly
              autoComplete="username"
            />
          </div>
        )
      }
      fields={
        <>
          <SecretField
            {...newPassword}
            describedBy={CHECKLIST_ID}
            autoComplete="new-password"
            minLength={PASSWORD_LENGTH.min}
            passwordrules={PASSWORD_RULES}
          >
            <PasswordChecklist
              id={CHECKLIST_ID}
              words={checklist}
              personal={personal}
              advice={refused?.advice}
              isRefused={newPassword.error !== undefined}
            />
            <p className="mt-2 text-sm text-muted">{words.tip}</p>
          </SecretField>
          <SecretField
            {...repeat}
            autoComplete="new-password"
            minLength={PASSWORD_LENGTH.min}
            passwordrules={PASSWORD_RULES}
          />
        </>
      }
    />
  );
}
