import type { ReactNode } from "react";
import { Form } from "react-router-dom";
import type { RefusedForm } from "~/forms/refused-form";
import { useScreenForm, type FormTexts } from "~/forms/screen-form";
import { Button } from "~/ui/button";
import { TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";
import { ALERT_ID, FormAlertBox } from "./form-messages";
import { signInForm } from "./forms";
import { SecretField } from "./secret-field";

/** Props of the sign-in form, with or without a username found by a reminder. */
interface SignInFormProps {
  /** The address the form posts to. */
  readonly action: string;
  readonly refused: RefusedForm | undefined;
  readonly texts: FormTexts<"username" | "password">;
  readonly fieldWords: Readonly<Record<"submit" | "pending" | "forgotPassword", string>>;
  /** Prefilled and read-only. */
  readonly username?: string;
  /** Typed earlier; can still be changed. */
  readonly typed?: string | undefined;
  /** Explains the username, beside it. */
  readonly usernameHelp?: ReactNode;
  /** The link for customers who have forgotten their username. */
  readonly forgotUsername?: string;
}

/** The sign-in form with its alert. The screen renders the dialog. */
export function SignInForm({
  action,
  refused,
  texts,
  fieldWords,
  username,
  typed,
  usernameHelp,
  forgotUsername,
}: SignInFormProps) {
  const filled = username ?? typed;
  const { form, input, alert } = useScreenForm(signInForm, {
    refused,
    texts,
    ...(filled !== undefined && { values: { username: filled } }),
  });
  const spokenFor = alert?.speaksForFields ? ALERT_ID : undefined;
  const field = (name: "username" | "password") => {
    const { error, ...control } = input(name);
    return {
      ...control,
      describedByAlert: error && spokenFor,
      error: spokenFor ? undefined : error,
    };
  };
  return (
    <>
      <FormAlertBox alert={alert} formId={form.id} />
      <Form method="post" action={action} {...form} data-unless-unchanged className="mt-6 space-y-6">
        <TextField
          {...field("username")}
          readOnly={username !== undefined}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          help={usernameHelp}
        />
        <SecretField {...field("password")} autoComplete="current-password" />
        <p>
          <Button type="submit" size="large" data-busy={fieldWords.pending}>
            {fieldWords.submit}
          </Button>
        </p>
        <ul>
          {forgotUsername !== undefined && (
            <li>
              <TextLink to="/home/remind-login-init">{forgotUsername}</TextLink>
            </li>
          )}
          <li>
            <TextLink to="/home/reset-password-init">{fieldWords.forgotPassword}</TextLink>
          </li>
        </ul>
      </Form>
    </>
  );
}
