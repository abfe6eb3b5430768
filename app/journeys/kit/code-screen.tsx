import type { ReactNode } from "react";
import { Form } from "react-router-dom";
import { CODE_DIGITS } from "~/contract/rules";
import { useCodeEntry } from "~/enhancements/code-entry";
import { useFocusOnArrival } from "~/enhancements/focus-on-arrival";
import { useCodeFromMessage } from "~/enhancements/code-from-message";
import { useThrottle } from "~/enhancements/throttle";
import type { RefusedForm } from "~/forms/refused-form";
import { MAIN_INTENT, type useScreenForm } from "~/forms/screen-form";
import { Alert } from "~/ui/alert";
import { BulletList } from "~/ui/bullet-list";
import { Button } from "~/ui/button";
import { ButtonRow } from "~/ui/button-row";
import { MaskedPhone } from "~/ui/masked-phone";
import { Disclosure } from "~/ui/disclosure";
import { MessagePicture } from "~/ui/illustrations/of-screens";
import { PageHeading } from "~/ui/page-heading";
import { PhoneLinks } from "~/ui/phone-links";
import { Screen, WideScreen } from "~/ui/screen";
import { LinkButton } from "~/ui/text-link";
import { StepIndicator } from "~/ui/step-indicator";
import type { CodeStatus } from "./code-words.server";
import { FormAlertBox, FormErrorDialog } from "./form-messages";
import { SecretField, type SecretWords } from "./secret-field";

/** Words and state of a screen that takes a one-time code. */
export interface CodeScreenProps<Field extends string> extends CodeStatus {
  /** Path of the screen. */
  readonly here: string;
  readonly words: {
    readonly header: string;
    readonly lead: string;
    readonly submit: string;
    readonly back: string;
  };
  readonly code: {
    readonly code: string;
    readonly codeHint: string;
    readonly allRequired: string;
    readonly notShared: string;
    readonly resend: string;
    readonly send: string;
    readonly checking: string;
    readonly sending: string;
    readonly wait: string;
    readonly afterWrong: string;
    /** Time before another code can be requested (ms). */
    readonly throttleMs: number;
    readonly helpTitle: string;
    readonly info: string;
    readonly warning: string;
    readonly help: readonly string[];
  };
  readonly secret: SecretWords;
  readonly refused: RefusedForm | undefined;
  readonly form: ReturnType<typeof useScreenForm<Field | "authorizationCode">>;
  /** "Krok 2 z 2". */
  readonly step?: { readonly text: string; readonly current: number; readonly total: number };
  /** Shown between lead and form. */
  readonly notice?: ReactNode;
  /** Shown above the code, in its column: the name under which password managers keep the new password. */
  readonly beforeCode?: ReactNode;
  /** Fields beside the code; they give the form two columns. */
  readonly fields?: ReactNode;
  /** Shown under the code, in its column. */
  readonly afterCode?: ReactNode;
  /** Help beside the form, or after it on a phone. Only where there are no fields beside the code. */
  readonly more?: ReactNode;
}

/**
 * Six digits with five separators. A password is longer, so Firefox doesn't fill one in (F32). A pasted message is read
 * before it would be cut (F16).
 */
const CODE_TYPED_MAX = 2 * CODE_DIGITS - 1;
const SEND_CODE = "send-code";
/** After these, the same code can't be submitted again until it is changed (specification §8, 007). */
const WRONG_CODE: ReadonlySet<string | undefined> = new Set(["007", "010"]);

/** A screen that takes a one-time code, alone or beside the fields it confirms. */
export function CodeScreen<Field extends string>(props: CodeScreenProps<Field>) {
  const { here, words, code, form: screenForm, refused, fields, codeSent, stopped = false } = props;
  const { form, input, alert, alertRef } = screenForm;
  const entry = useCodeEntry(WRONG_CODE.has(refused?.errorCode) && !screenForm.isOutdated);
  const throttle = useThrottle(code.throttleMs);
  useFocusOnArrival(`${form.id}-authorizationCode`, codeSent);
  useCodeFromMessage(entry.ref, codeSent ? props.status : undefined);
  const control = input("authorizationCode", "password");
  const sendCode = stopped ? null : <SendCode {...props} entry={entry} throttle={throttle} />;
  return (
    <>
      <FormErrorDialog refused={refused} here={here} />
      <Layout wide={fields !== undefined} aside={props.more}>
        {props.step && <StepIndicator {...props.step} />}
        <PageHeading header={words.header}>{words.lead}</PageHeading>
        <FormAlertBox alert={alert} formId={form.id} alertRef={alertRef} />
        <div className="mt-4 max-w-line space-y-4">
          {props.notice}
          <Alert kind={stopped ? "warning" : "info"} word={stopped ? code.warning : code.info}>
            <Status {...props} />
          </Alert>
        </div>
        <Form method="post" action={here} {...form} className="mt-6">
          <ButtonOfEnter words={words.submit} />
          {!codeSent && sendCode && <div className="mb-6">{sendCode}</div>}
          {fields && <p className="mb-4 text-sm text-muted">{code.allRequired}</p>}
          <div className={fields ? "md:flex" : ""}>
            <div className={fields ? "md:w-5/12 md:pr-10 lg:pr-20" : ""}>
              {props.beforeCode}
              <SecretField
                {...control}
                inputRef={entry.ref}
                onInput={entry.onInput}
                onPaste={entry.onPaste}
                secret={props.secret}
                code
                label={code.code}
                hint={code.codeHint}
                autoComplete="one-time-code"
                inputMode="numeric"
                {...(props.focusesCode && !refused && { autoFocus: true })}
                maxLength={CODE_TYPED_MAX}
              />
              {codeSent && sendCode}
              <SendStatus {...props} entry={entry} throttle={throttle} />
              <Disclosure summary={code.helpTitle}>
                <BulletList items={code.help} />
              </Disclosure>
              <p className="mt-2 text-sm text-muted">{code.notShared}</p>
              {props.afterCode}
            </div>
            {/* The buttons follow the last field, in its column, because that is where people look when they are done. */}
            <div className={fields ? "mt-6 md:mt-0 md:w-7/12" : "mt-6"}>
              {fields && <div className="mb-6 space-y-6">{fields}</div>}
              <FormButtons {...props} entry={entry} />
            </div>
          </div>
        </Form>
      </Layout>
    </>
  );
}

/** The status line. Bullets mean nothing when read aloud, so a screen reader gets the number in words. */
function Status({ status, sentTo }: CodeStatus) {
  if (!sentTo) return <PhoneLinks text={status} />;
  const [before, after] = status.split(sentTo.shown);
  return (
    <>
      {before}
      <MaskedPhone {...sentTo} />
      {after}
    </>
  );
}

function Layout({
  wide,
  aside,
  children,
}: {
  readonly wide: boolean;
  readonly aside: ReactNode;
  readonly children: ReactNode;
}) {
  if (wide) return <WideScreen>{children}</WideScreen>;
  return (
    <Screen picture={<MessagePicture />} aside={aside}>
      {children}
    </Screen>
  );
}

type Entry = { readonly entry: ReturnType<typeof useCodeEntry> };
type Throttle = { readonly throttle: ReturnType<typeof useThrottle> };

/**
 * The button that Enter presses. Browsers take a form's first submit button, which would be the one that sends another
 * code (F1). It can't be seen, is not read aloud, and Tab skips it. It has no name, because Lynx would send it beside
 * the button that was pressed; no intent means the main one. Its value is never sent, but Lynx shows it, and calls a
 * button without one "(BUTTON)".
 */
function ButtonOfEnter({ words }: { readonly words: string }) {
  return <button type="submit" value={words} tabIndex={-1} aria-hidden className="sr-only" />;
}

/** Sends a code: a button at the top if none was sent yet, afterwards a link under the field (F1). */
function SendCode<Field extends string>({
  code,
  codeSent,
  form: { form, sending, intent },
  entry,
  throttle: { waiting, onClick },
}: CodeScreenProps<Field> & Entry & Throttle) {
  const sendingCode = sending && intent === SEND_CODE;
  const button = {
    id: `${form.id}-${SEND_CODE}`,
    type: "submit",
    name: "intent",
    value: SEND_CODE,
    formNoValidate: true,
    "aria-disabled": sending || waiting || undefined,
    onClick,
  } as const;
  if (!codeSent) return <Button {...button}>{sendingCode ? code.sending : code.send}</Button>;
  if (entry.hidesResend) return null;
  return <LinkButton {...button}>{sendingCode ? code.sending : code.resend}</LinkButton>;
}

/** Always rendered, so that screen readers announce its changes. */
function SendStatus<Field extends string>({
  code,
  form: { sending, intent },
  entry,
  throttle,
}: CodeScreenProps<Field> & Entry & Throttle) {
  const isSending = throttle.waiting || (sending && intent === SEND_CODE);
  const status = isSending ? code.wait : entry.hidesResend ? code.afterWrong : "";
  return (
    <p role="status" className={status ? "mt-3 text-sm text-muted" : undefined}>
      {status}
    </p>
  );
}

function FormButtons<Field extends string>({
  words,
  code,
  codeSent,
  form: { sending, intent },
  entry,
}: CodeScreenProps<Field> & Entry) {
  return (
    <ButtonRow>
      <Button
        type="submit"
        name="intent"
        value={MAIN_INTENT}
        variant={codeSent ? "primary" : "secondary"}
        aria-disabled={sending || !entry.worthSending || undefined}
      >
        {sending && (intent ?? MAIN_INTENT) === MAIN_INTENT ? code.checking : words.submit}
      </Button>
      <Button type="submit" name="intent" value="back" variant="quiet" formNoValidate>
        {words.back}
      </Button>
    </ButtonRow>
  );
}
