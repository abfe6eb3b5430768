import type { ReactNode } from "react";
import { Form } from "react-router-dom";
import type { Method } from "~/contract/factors.server";
import { CODE_DIGITS } from "~/contract/rules";
import type { RefusedForm } from "~/forms/refused-form";
import { MAIN_INTENT, type useScreenForm } from "~/forms/screen-form";
import { Alert } from "~/ui/alert";
import { BulletList } from "~/ui/bullet-list";
import { Button, ButtonRow } from "~/ui/button";
import { MaskedPhone, PhoneLinks } from "~/ui/phone";
import { Disclosure } from "~/ui/disclosure";
import { MessagePicture } from "~/ui/illustrations";
import { PageHeading, Screen, StepIndicator, WideScreen } from "~/ui/page-layout";
import { LinkButton } from "~/ui/text-link";
import type { CodeStatus } from "./code-words";
import { ConfirmButtons, FactorCodeField, type FactorWords, type OtherWay, OtherWays } from "./factor-screen";
import { FormAlertBox, FormErrorDialog } from "./form-messages";
import {
  asksPasskey,
  passkeyAlert,
  PasskeyAnswer,
  PasskeyButtons,
  PasskeyHelp,
  type PasskeyQuestionInWords,
} from "./passkey-screen";
import { SecretField } from "./secret-field";

/** Words and state of a screen that takes a one-time code. */
export interface CodeScreenProps<Field extends string> extends CodeStatus {
  /** Path of the screen. */
  readonly here: string;
  readonly words: {
    readonly header: string;
    readonly lead: string;
    /** Says why a code is needed, before one was sent; if absent, the lead says so. */
    readonly reason?: string;
    readonly submit: string;
    readonly back: string;
  };
  readonly code: {
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
  readonly refused: RefusedForm | undefined;
  readonly form: ReturnType<typeof useScreenForm<Field | "authorizationCode">>;
  /** "Krok 2 z 2". */
  readonly step?: { readonly current: number; readonly total: number };
  /** The previous screen's notice about what has just happened, above everything else. */
  readonly arrival?: ReactNode;
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
  /** After the form: the dialogs of its fields. */
  readonly afterForm?: ReactNode;
  /** Hidden fields that every button sends along. */
  readonly hidden?: ReactNode;
  /** Links to other ways to confirm, after the form. */
  readonly ways?: ReactNode;
  /** Hidden fields that the button for the first code sends along. */
  readonly sentAlong?: ReactNode;
  /** For a change that can be confirmed in several ways. */
  readonly proof?: ShownProof | undefined;
  /** A change that needs no code now: the first button makes it. */
  readonly withoutProof?: boolean;
}

/** The way in which a change is confirmed, and the others; none of it without second factors. */
export interface ShownProof {
  /** The way that every button sends along. */
  readonly method: Method | undefined;
  /** Instead of the field for a code by SMS: that of an app, or for a recovery code. */
  readonly factor: (FactorWords & { readonly method: "app" | "recovery" }) | undefined;
  /** Or the question for a passkey. */
  readonly question: PasskeyQuestionInWords | undefined;
  readonly ways: readonly OtherWay[];
  readonly waysTitle: string;
  /** Where a code by SMS can be asked for; undefined if none confirms. */
  readonly smsAddress: string | undefined;
}

/**
 * Six digits with five separators. A password is longer, so Firefox doesn't fill one in (F32). A pasted message is read
 * before it would be cut (F16).
 */
const CODE_TYPED_MAX = 2 * CODE_DIGITS - 1;
const SEND_CODE = "send-code";

/**
 * A screen that takes a one-time code, alone or beside the fields it confirms. Before a code was sent, it shows only
 * the button that sends one (F39), unless the fields were sent all the same.
 */
export function CodeScreen<Field extends string>(props: CodeScreenProps<Field>) {
  const { codeSent, stopped = false, refused } = props;
  const asksForCode = !codeSent && !stopped && !refused?.concernsFields;
  return asksForCode ? <CodeRequest {...props} /> : <CodeForm {...props} />;
}

/** Why a code is needed, where it will go, and the button that sends it. */
function CodeRequest<Field extends string>(props: CodeScreenProps<Field>) {
  const {
    here,
    words,
    code,
    form: { alert, form, id },
    refused,
  } = props;
  return (
    <>
      <FormErrorDialog refused={refused} here={here} />
      <Layout wide={false} aside={props.more}>
        <PageHeading header={words.header}>{words.reason ?? words.lead}</PageHeading>
        <FormAlertBox alert={alert} formId={id} />
        {props.arrival}
        <div className="mt-4 max-w-line">
          <Alert kind="info">
            <Status {...props} />
          </Alert>
        </div>
        <Form method="post" action={here} {...form} className="mt-6">
          <Hidden {...props} />
          {props.sentAlong}
          <ButtonRow>
            <Button
              type="submit"
              name="intent"
              value={props.withoutProof ? MAIN_INTENT : SEND_CODE}
              data-busy={code.sending}
            >
              {code.send}
            </Button>
            <BackButton words={words} />
          </ButtonRow>
        </Form>
        <Ways {...props} />
      </Layout>
    </>
  );
}

/** Hidden fields that every button sends along. */
function Hidden<Field extends string>({ hidden, proof, sentAt }: CodeScreenProps<Field>) {
  return (
    <>
      {hidden}
      {sentAt !== undefined && <input type="hidden" name="sentAt" value={sentAt} />}
      {proof?.method && <input type="hidden" name="method" value={proof.method} />}
    </>
  );
}

function Ways<Field extends string>({ ways, proof }: CodeScreenProps<Field>) {
  return (
    <>
      {ways}
      {proof && <OtherWays title={proof.waysTitle} ways={proof.ways} />}
    </>
  );
}

/** The field for the code, and those it confirms. */
function CodeForm<Field extends string>(props: CodeScreenProps<Field>) {
  const { here, words, code, form: screenForm, refused, fields, stopped = false, proof } = props;
  const { form } = screenForm;
  const passkeyError = proof?.question && refused?.result.error?.["response"]?.[0];
  const alert = passkeyAlert({ error: passkeyError ? { text: passkeyError } : undefined }, screenForm.alert);
  const afterBlock = proof?.method ? proof.smsAddress : here;
  return (
    <>
      <FormErrorDialog refused={refused} here={afterBlock ?? here} sendsCode={afterBlock !== undefined} />
      <Layout wide={fields !== undefined} aside={props.more}>
        {props.step && <StepIndicator {...props.step} />}
        <PageHeading header={words.header}>{words.lead}</PageHeading>
        <FormAlertBox alert={alert} formId={form.id} />
        {props.arrival}
        <div className="mt-4 max-w-line space-y-3">
          {props.notice}
          <Alert kind={stopped ? "warning" : "info"}>
            <Status {...props} />
          </Alert>
        </div>
        <Form
          method="post"
          action={here}
          {...form}
          {...(proof?.question && asksPasskey(proof.question))}
          className="mt-6"
        >
          {!proof?.question && <ButtonOfEnter />}
          {fields && <p className="mb-4 text-sm text-muted">{code.allRequired}</p>}
          <div className={fields ? "md:flex" : ""}>
            <div className={fields ? "md:w-5/12 md:pr-10 lg:pr-20" : ""}>
              {props.beforeCode}
              <CodeField {...props} />
              {props.afterCode}
            </div>
            {/* The buttons follow the last field, in its column, because that is where people look when they are done. */}
            <div className={fields ? "mt-6 md:mt-0 md:w-7/12" : "mt-6"}>
              {fields && <div className="mb-6 space-y-6">{fields}</div>}
              <FormButtons {...props} />
            </div>
          </div>
          <Hidden {...props} />
        </Form>
        <Ways {...props} />
      </Layout>
      {props.afterForm}
    </>
  );
}

/** The field for the code, with advice. A passkey has none: scripts fill its answer in. */
function CodeField<Field extends string>(props: CodeScreenProps<Field>) {
  const { code, codeSent, form, refused, stopped = false, proof } = props;
  if (proof?.question)
    return (
      <>
        <PasskeyAnswer name="response" />
        <PasskeyHelp {...proof.question.words} />
      </>
    );
  const control = form.input("authorizationCode");
  if (proof?.factor)
    return <FactorCodeField field={control} method={proof.factor.method} words={proof.factor} />;
  return (
    <>
      <SecretField
        {...control}
        code
        data-code={codeSent ? "sent" : "none"}
        hint={code.codeHint}
        autoComplete="one-time-code"
        inputMode="numeric"
        {...(props.focusesCode && !refused && { autoFocus: true })}
        maxLength={CODE_TYPED_MAX}
      />
      {!stopped && <SendCode {...props} />}
      <p role="status" data-code-status className="mt-3 text-sm text-muted empty:mt-0" />
      <Disclosure summary={code.helpTitle}>
        <BulletList items={code.help} />
      </Disclosure>
      <p className="mt-2 text-sm text-muted">{code.notShared}</p>
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

const ZERO_WIDTH_SPACE = "\u200B";

/**
 * The button that Enter presses. Browsers take a form's first submit button, which would be the one that sends another
 * code (F1). It can't be seen, is not read aloud, and Tab skips it. It has no name, because Lynx would send it beside
 * the button that was pressed; no intent means the main one. It is a picture whose words have no width: text browsers
 * give any other button words or brackets of their own. Browsers have already loaded its picture.
 */
function ButtonOfEnter() {
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

/** The link that sends another code (F1). */
function SendCode<Field extends string>({ code, codeSent, form: { id } }: CodeScreenProps<Field>) {
  return (
    <LinkButton
      id={`${id}-${SEND_CODE}`}
      type="submit"
      name="intent"
      value={SEND_CODE}
      formNoValidate
      data-busy={code.sending}
      data-throttle={code.throttleMs}
      data-wait={code.wait}
      data-resend
      data-after-wrong={code.afterWrong}
    >
      {codeSent ? code.resend : code.send}
    </LinkButton>
  );
}

function FormButtons<Field extends string>({ words, code, proof }: CodeScreenProps<Field>) {
  if (proof?.question)
    return <PasskeyButtons {...proof.question.words} submit={words.submit} back={words.back} />;
  if (proof?.factor)
    return <ConfirmButtons submit={words.submit} back={words.back} checking={code.checking} />;
  return (
    <ButtonRow>
      <Button type="submit" name="intent" value={MAIN_INTENT} data-busy={code.checking} data-needs-code>
        {words.submit}
      </Button>
      <BackButton words={words} />
    </ButtonRow>
  );
}

function BackButton({ words }: { readonly words: { readonly back: string } }) {
  return (
    <Button type="submit" name="intent" value="back" variant="quiet" formNoValidate>
      {words.back}
    </Button>
  );
}
