import type { ComponentProps } from "react";
import { PASSWORD_LENGTH } from "~/contract/rules";
import { PASSWORD_RULES } from "~/contract/rules/field-rules";
import { useTexts } from "~/i18n/use-texts";
import { TextField } from "~/ui/text-field";
import { newPasswordForm } from "./forms";
import { shownPersonal } from "./password-advice";
import { PasswordChecklist } from "./password-checklist";
import { askingTexts } from "./proof";
import { ProofScreen, useProofForm } from "./proof-screen";
import { SecretField } from "./secret-field";
import { formsByMethod } from "./methods";

/** The three uses of the form for a new password (specification §4: register, change and reset). */
export type NewPasswordMode = "set" | "change" | "reset";

/** The form of a new password, for each method. */
export const newPasswordForms = formsByMethod(newPasswordForm);

/** The differences between the three screens. */
interface NewPasswordScreenProps extends Pick<
  ComponentProps<typeof ProofScreen>,
  "proof" | "refused" | "signedOut" | "step" | "notice" | "arrival" | "hidden"
> {
  readonly mode: NewPasswordMode;
  /** If known; password managers save the new password under it (C-33). */
  readonly username?: string;
  /** Of a signed-in customer, whose name stands in the header: a password shouldn't contain it. */
  readonly name?: string;
}

const CHECKLIST_ID = "new-password-rules";
const NEW_PASSWORD = {
  autoComplete: "new-password",
  minLength: PASSWORD_LENGTH.min,
  passwordrules: PASSWORD_RULES,
} as const;

/** Set, change and reset password: one form in three modes. Only title, heading and lead differ. */
export function NewPasswordScreen({ mode, username, name, ...screen }: NewPasswordScreenProps) {
  const t = useTexts();
  const { proof, refused } = screen;
  const form = useProofForm(newPasswordForms, proof, { refused });
  const newPassword = form.input("newPassword");
  const asking = askingTexts(proof);
  return (
    <ProofScreen
      {...screen}
      header={t(`password:${mode}.header`)}
      lead={t(asking.lead ?? `password:${mode}.lead`)}
      reason={t(asking.reason)}
      submit={t("password:submit")}
      back={t("password:back")}
      helpsWithoutPhone={mode === "reset"}
      form={form}
      beforeCode={
        username !== undefined && (
          <div className="mb-6">
            <TextField
              id="new-password-username"
              label={t("signIn:username.label")}
              defaultValue={username}
              readOnly
              autoComplete="username"
            />
          </div>
        )
      }
      fields={
        <>
          <SecretField {...newPassword} {...NEW_PASSWORD} describedBy={CHECKLIST_ID}>
            <PasswordChecklist
              id={CHECKLIST_ID}
              personal={shownPersonal(username, name)}
              advice={refused?.advice}
              isRefused={newPassword.error !== undefined}
            />
            <p className="mt-2 text-sm text-muted">{t("password:checklist.tip")}</p>
          </SecretField>
          <SecretField {...form.input("newPasswordRepeat")} {...NEW_PASSWORD} />
        </>
      }
    />
  );
}
