import type { ComponentProps } from "react";
import type { Method, RequestOptions } from "~/contract/factors.server";
import { CODE_DIGITS, MOST_FACTOR_NAME } from "~/contract/rules";
import type { FormAlert, RefusedForm } from "~/forms/refused-form";
import { MAIN_INTENT } from "~/forms/screen-form";
import { useTexts } from "~/i18n/use-texts";
import { environment } from "~/platform/config/environment.server";
import { BulletList } from "~/ui/bullet-list";
import { Button, ButtonRow } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { TextField } from "~/ui/text-field";
import { LinkButton, TextLink } from "~/ui/text-link";
import { SecretField } from "./secret-field";

type Field = ComponentProps<typeof TextField>;

/** The intent of the buttons that send a code. */
export const SEND_CODE = "send-code";
/** A recovery code as people keep it: with a label before it and quotes around it. */
export const RECOVERY_TYPED_MAX = 200;
/**
 * Six digits with five separators. A password is longer, so Firefox doesn't fill one in (F32). A pasted message is read
 * before it would be cut (F16).
 */
const CODE_TYPED_MAX = 2 * CODE_DIGITS - 1;

interface SmsCodeFieldProps {
  readonly field: Field;
  readonly formId: string;
  readonly isSent: boolean;
  /** No code can be sent for now. */
  readonly isStopped: boolean;
  readonly hasFocus: boolean;
}

/** The field for a code by SMS, and the link that sends another (F1). */
export function SmsCodeField({ field, formId, isSent, isStopped, hasFocus }: SmsCodeFieldProps) {
  const t = useTexts();
  return (
    <>
      <SecretField
        {...field}
        code
        data-code={isSent ? "sent" : "none"}
        hint={t("common:code.hint")}
        autoComplete="one-time-code"
        inputMode="numeric"
        {...(hasFocus && { autoFocus: true })}
        maxLength={CODE_TYPED_MAX}
      />
      {!isStopped && (
        <LinkButton
          id={`${formId}-${SEND_CODE}`}
          type="submit"
          name="intent"
          value={SEND_CODE}
          formNoValidate
          data-busy={t("common:loading.sending")}
          data-throttle={environment().limits.RESEND_THROTTLE_MS}
          data-wait={t("common:code.resendWait")}
          data-resend
          data-after-wrong={t("common:code.afterWrong")}
        >
          {t(isSent ? "common:code.resend" : "common:action.sendCode")}
        </LinkButton>
      )}
      <p role="status" data-code-status className="mt-3 text-sm text-muted empty:mt-0" />
    </>
  );
}

/** Advice if no code by SMS arrives. @param signedOut for visitors whose details may contain a typing mistake (F12) */
function SmsCodeHelp({ signedOut }: { readonly signedOut: boolean }) {
  const t = useTexts();
  const mistyped = signedOut ? [t("common:codeHelp.item1")] : [];
  return (
    <>
      <Disclosure summary={t("common:codeHelp.title")}>
        <BulletList
          items={[
            ...mistyped,
            t("common:phone.changed"),
            t("common:codeHelp.item2"),
            t("common:codeHelp.item3"),
            t("common:codeHelp.item4"),
          ]}
        />
      </Disclosure>
      <p className="mt-2 text-sm text-muted">{t("common:code.notShared")}</p>
    </>
  );
}

const ZERO_WIDTH_SPACE = "\u200B";

/**
 * The button that Enter presses. Browsers take a form's first submit button, which would be the button that sends another
 * code (F1). It can't be seen, is not read aloud, and Tab skips it. It has no name, because Lynx would send it beside
 * the button that was pressed; no intent means the main one. It is an image whose alternative text has no width: text
 * browsers show other buttons with a text or brackets of their own. Browsers have already loaded its picture.
 */
export function ButtonOfEnter() {
  return (
    <input
      type="image"
      src="/favicon.svg"
      alt={ZERO_WIDTH_SPACE}
      tabIndex={-1}
      aria-hidden
      className="sr-only"
    />
  );
}

/** Advice if the current method doesn't work. */
export function ProofHelp({ method, signedOut }: { readonly method: Method; readonly signedOut: boolean }) {
  if (method === "sms") return <SmsCodeHelp signedOut={signedOut} />;
  if (method === "app") return <AppCodeHelp />;
  return method === "passkey" ? <PasskeyHelp /> : null;
}

/** The field for a code of an authenticator app. */
export function AppCodeField({ field }: { readonly field: Field }) {
  const t = useTexts();
  return (
    <TextField
      {...field}
      code
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={CODE_TYPED_MAX}
      hint={t("factors:appCode.hint")}
      autoCorrect="off"
      spellCheck={false}
    />
  );
}

/** Advice if an app's code doesn't work. */
export function AppCodeHelp() {
  const t = useTexts();
  return (
    <Disclosure summary={t("factors:appCode.helpTitle")}>
      <BulletList items={[t("factors:appCode.help1"), t("factors:appCode.help2")]} />
    </Disclosure>
  );
}

/** The field for a recovery code. It is shown while typed: it is used up at once. */
export function RecoveryCodeField({ field }: { readonly field: Field }) {
  const t = useTexts();
  return (
    <TextField
      {...field}
      autoComplete="off"
      autoCapitalize="characters"
      maxLength={RECOVERY_TYPED_MAX}
      hint={t("factors:recovery.hint")}
      autoCorrect="off"
      spellCheck={false}
    />
  );
}

/** For the element of a form that a passkey confirms. */
export function asksPasskey(options: RequestOptions | undefined) {
  return { "data-passkey": "get", "data-options": JSON.stringify(options) };
}

function PasskeyHelp() {
  const t = useTexts();
  return (
    <Disclosure summary={t("factors:passkey.helpTitle")}>
      <BulletList items={[t("factors:passkey.help1"), t("factors:passkey.help2")]} />
    </Disclosure>
  );
}

/** The hidden field for a passkey's answer, which scripts fill in, so that no summary can lead to it. */
export function PasskeyAnswer() {
  return <input type="hidden" name="response" value="" />;
}

/** The error of a passkey's last answer, as the alert above the form; otherwise the form's own alert. */
export function passkeyAlert(
  refused: RefusedForm | undefined,
  alert: FormAlert | undefined,
): FormAlert | undefined {
  const error = refused?.result.error?.["response"]?.[0];
  if (error === undefined) return alert;
  // The first sentence says what went wrong, the others what to do.
  const [title = "", ...others] = error.split(/(?<=\.)\s/);
  const text = others.length > 0 ? others.join(" ") : undefined;
  return { title, text, items: [], speaksForFields: false };
}

interface ConfirmButtonsProps {
  readonly submit: string;
  readonly back?: string | undefined;
  readonly method?: Method | undefined;
}

/** The main button of a form that confirms something, and Back. */
export function ConfirmButtons({ submit, back, method }: ConfirmButtonsProps) {
  const t = useTexts();
  return (
    <ButtonRow>
      <Button
        type="submit"
        name="intent"
        value={MAIN_INTENT}
        data-busy={t("common:loading.checking")}
        data-needs-code={method === "sms" || undefined}
        data-waiting={method === "passkey" ? t("factors:passkey.waiting") : undefined}
      >
        {submit}
      </Button>
      <BackButton text={back} />
    </ButtonRow>
  );
}

/** The Back button, which validates no field. */
export function BackButton({ text }: { readonly text: string | undefined }) {
  const t = useTexts();
  return (
    <Button type="submit" name="intent" value="back" variant="quiet" formNoValidate>
      {text ?? t("common:action.back")}
    </Button>
  );
}

/** The customer's name for a new factor. */
export function FactorNameField({ field }: { readonly field: Field }) {
  const t = useTexts();
  return (
    <TextField {...field} hint={t("factors:name.hint")} maxLength={2 * MOST_FACTOR_NAME} autoComplete="off" />
  );
}

/** A link to another method. */
export interface MethodLink {
  readonly href: string;
  readonly text: string;
}

/** Links to the other methods, after the form. */
export function OtherMethods({ links }: { readonly links: readonly MethodLink[] }) {
  const t = useTexts();
  if (links.length === 0) return null;
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h2 className="font-semibold">{t("factors:ways.title")}</h2>
      <ul>
        {links.map(({ href, text }) => (
          <li key={href}>
            <TextLink to={href}>{text}</TextLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
