import type { ReactNode } from "react";
import { Form } from "react-router-dom";
import type { Method } from "~/contract/factors.server";
import type { FormDefinition } from "~/forms/form-definition";
import type { RefusedForm } from "~/forms/refused-form";
import { MAIN_INTENT, useScreenForm } from "~/forms/screen-form";
import type { Translate } from "~/i18n/texts.server";
import { clockTimeInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { Alert } from "~/ui/alert";
import { Button, ButtonRow } from "~/ui/button";
import { MessagePicture, PadlockPicture } from "~/ui/illustrations";
import { PageHeading, Screen, StepIndicator, WideScreen } from "~/ui/page-layout";
import { Disclosure } from "~/ui/disclosure";
import { MaskedPhone, PhoneLinks } from "~/ui/phone";
import { TextLink } from "~/ui/text-link";
import { codeStatus, type CodeFacts, type StatusLine } from "./code-status";
import { canBeMade, FormAlertBox, FormErrorDialog } from "./form-messages";
import type { PasskeyQuestion } from "./passkey";
import {
  AppCodeField,
  asksPasskey,
  BackButton,
  ButtonOfEnter,
  ConfirmButtons,
  OtherMethods,
  passkeyAlert,
  PasskeyAnswer,
  ProofHelp,
  RecoveryCodeField,
  SEND_CODE,
  SmsCodeField,
} from "./proof-fields";
import { type FormsByMethod, isChoice, methodAddress } from "./methods";

/** How something is confirmed: by a code by SMS, or by another method of an account with second factors. */
export interface Proof {
  /** Path of the screen. */
  readonly path: string;
  /** The current method, and all methods of the account. */
  readonly method: Method;
  readonly methods: readonly Method[];
  /** Whether to show the factor's field. A code by SMS has to be sent, too. */
  readonly isBegun: boolean;
  readonly code: CodeFacts;
  readonly question?: PasskeyQuestion | undefined;
  /** The change was lost, and begins again. */
  readonly isLost?: boolean | undefined;
  /** Until when nothing has to be confirmed (ms since 1970): the first button makes the change. */
  readonly freeUntil?: number | undefined;
}

interface ProofScreenProps {
  readonly proof: Proof;
  readonly header: string;
  readonly lead: string;
  /** Why it must be confirmed, until a code was requested; default: the lead. */
  readonly reason?: string;
  readonly submit: string;
  /** The button that makes the change while nothing has to be confirmed; default: `submit`. */
  readonly begin?: string | undefined;
  readonly back?: string;
  readonly form: ReturnType<typeof useScreenForm<"authorizationCode">>;
  readonly refused: RefusedForm | undefined;
  /** For visitors who must not learn whether their details match a customer (S3). */
  readonly signedOut?: boolean;
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
  /** Shown under the buttons, so that a phone shows these without scrolling. */
  readonly afterButtons?: ReactNode;
  /** Help beside the form, or after it on a phone. Only where there are no fields beside the code. */
  readonly more?: ReactNode;
  /** After the form: the dialogs of its fields. */
  readonly afterForm?: ReactNode;
  /** Shows what to do without the phone: the same text for every account. */
  readonly helpsWithoutPhone?: boolean;
  /** Hidden fields of both forms. */
  readonly hidden?: ReactNode;
  /** Hidden fields of the form that requests the first code. */
  readonly sentAlong?: ReactNode;
}

/** The form of a proof screen, for the current method. */
export function useProofForm<Field extends string>(
  forms: FormsByMethod<Field>,
  { method }: Proof,
  options: Parameters<typeof useScreenForm>[1],
) {
  // The form for a passkey has no code field, and its screen never reads one.
  return useScreenForm(forms[method] as FormDefinition<Field | "authorizationCode">, options);
}

/**
 * A screen that confirms something by a code or by a passkey, alone or beside fields. Until a code was requested, it shows only
 * the button that requests it (F39), unless the fields were sent all the same.
 */
export function ProofScreen(props: ProofScreenProps) {
  const { proof, refused } = props;
  const isOver = isSent(proof) || isStopped(proof) || refused?.concernsFields;
  return isOver ? <ProofForm {...props} /> : <ProofRequest {...props} />;
}

function isSent({ method, code, isBegun }: Proof): boolean {
  return method === "sms" ? code.codeSentAt !== undefined : isBegun;
}

/** Whether nothing can be sent or compared for now (F33). */
function isStopped({ method, code, question }: Proof): boolean {
  return method === "sms" ? code.stoppedUntil !== undefined : question?.wait !== undefined;
}

/** The screen's address, with the current method if there are several. */
function addressOf({ path, method, methods, isBegun }: Proof): string {
  return isBegun && isChoice(methods) ? methodAddress(path, method) : path;
}

/** Before a code was requested: why it is needed, where it will go, and the button that requests it. */
function ProofRequest(props: ProofScreenProps) {
  const t = useTexts();
  const { proof, refused, form: screenForm } = props;
  const { form, alert, id } = screenForm;
  const here = addressOf(proof);
  const isFree = proof.freeUntil !== undefined;
  const begin =
    proof.isBegun || proof.method === "sms" ? t("common:action.sendCode") : t("factors:proof.next");
  return (
    <>
      <FormErrorDialog refused={refused} here={here} />
      <Layout method={proof.method} wide={false} aside={props.more}>
        <PageHeading header={props.header}>{canBeMade(refused) && (props.reason ?? props.lead)}</PageHeading>
        <FormAlertBox alert={alert} formId={id} />
        {props.arrival}
        {canBeMade(refused) && (
          <>
            <div className="mt-4 max-w-line">
              <Alert kind="info">
                <Status line={statusOf(t, props)} />
              </Alert>
            </div>
            <Form method="post" action={here} {...form} className="mt-6">
              <Hidden {...props} />
              {props.sentAlong}
              <ButtonRow>
                <Button
                  type="submit"
                  name="intent"
                  value={isFree ? MAIN_INTENT : SEND_CODE}
                  data-busy={t(isFree ? "common:loading.checking" : "common:loading.sending")}
                >
                  {isFree ? (props.begin ?? props.submit) : begin}
                </Button>
                <BackButton text={props.back} />
              </ButtonRow>
            </Form>
            <MethodLinks {...props} />
          </>
        )}
        <WithoutPhone {...props} />
      </Layout>
    </>
  );
}

/** The proof's field, and the fields that it confirms. */
function ProofForm(props: ProofScreenProps) {
  const t = useTexts();
  const { proof, form: screenForm, refused, fields } = props;
  const { method, methods, path, question } = proof;
  const { form } = screenForm;
  const here = addressOf(proof);
  const smsAddress = methods.includes("sms") ? methodAddress(path, "sms") : undefined;
  const afterBlock = isChoice(methods) ? smsAddress : here;
  const stopped = isStopped(proof);
  const help = <ProofHelp method={method} signedOut={props.signedOut ?? false} />;
  return (
    <>
      <FormErrorDialog refused={refused} here={afterBlock ?? here} sendsCode={afterBlock !== undefined} />
      <Layout method={method} wide={fields !== undefined} aside={props.more}>
        {props.step && <StepIndicator {...props.step} />}
        <PageHeading header={props.header}>{props.lead}</PageHeading>
        <FormAlertBox
          alert={question ? passkeyAlert(refused, screenForm.alert) : screenForm.alert}
          formId={form.id}
        />
        {props.arrival}
        {/* Without fields, the lead speaks of the factor. */}
        {(fields !== undefined || method === "sms" || stopped) && (
          <div className="mt-4 max-w-line space-y-3">
            {props.notice}
            <Alert kind={stopped ? "warning" : "info"}>
              <Status line={statusOf(t, props)} />
            </Alert>
          </div>
        )}
        <Form
          method="post"
          action={here}
          {...form}
          {...(question && asksPasskey(question.options))}
          className="mt-4 sm:mt-6"
        >
          {method === "sms" && <ButtonOfEnter />}
          {fields && <p className="mb-4 text-sm text-muted">{t("common:field.allRequired")}</p>}
          <div className={fields ? "md:flex" : undefined}>
            <div className={fields ? "md:w-5/12 md:pr-10 lg:pr-20" : undefined}>
              {props.beforeCode}
              <ProofField {...props} />
              {fields && help}
            </div>
            {/* The buttons follow the last field, in its column, because that is where people look when they are done. */}
            <div className={fields ? "mt-6 md:mt-0 md:w-7/12" : "mt-6"}>
              {fields && <div className="mb-6 space-y-6">{fields}</div>}
              {canBeMade(refused) && (
                <ConfirmButtons
                  submit={question && !fields ? t("factors:passkey.submit") : props.submit}
                  back={props.back}
                  method={method}
                />
              )}
              {props.afterButtons}
              {!fields && help}
            </div>
          </div>
          <Hidden {...props} />
        </Form>
        <MethodLinks {...props} />
        <WithoutPhone {...props} />
      </Layout>
      {props.afterForm}
    </>
  );
}

/** The field of the current method. */
function ProofField({ proof, form, refused }: ProofScreenProps) {
  const { method, code } = proof;
  if (method === "passkey") return <PasskeyAnswer />;
  const field = form.input("authorizationCode");
  if (method === "app") return <AppCodeField field={field} />;
  if (method === "recovery") return <RecoveryCodeField field={field} />;
  return (
    <SmsCodeField
      field={field}
      formId={form.id}
      isSent={isSent(proof)}
      isStopped={isStopped(proof)}
      hasFocus={code.pressed === true && !refused}
    />
  );
}

/** The hidden fields of both forms. */
function Hidden({ hidden, proof: { method, methods, code } }: ProofScreenProps) {
  return (
    <>
      {hidden}
      {method === "sms" && code.codeSentAt !== undefined && (
        <input type="hidden" name="sentAt" value={code.codeSentAt} />
      )}
      {isChoice(methods) && <input type="hidden" name="method" value={method} />}
    </>
  );
}

/** Links to the other methods. */
function MethodLinks({ proof: { path, method: current, methods } }: ProofScreenProps) {
  const t = useTexts();
  const others = methods.filter((method) => method !== current);
  return (
    <OtherMethods
      links={others.map((method) => ({
        href: methodAddress(path, method),
        text: t(`factors:ways.${method}`),
      }))}
    />
  );
}

/** For customers whose phone is lost: the recovery code, if the account has one, and whom to call. */
function WithoutPhone({ helpsWithoutPhone, proof: { path, methods } }: ProofScreenProps) {
  const t = useTexts();
  if (helpsWithoutPhone !== true) return null;
  return (
    <div className="mt-4">
      <Disclosure summary={t("common:noPhone.title")}>
        {methods.includes("recovery") && (
          <p className="mb-2">
            <TextLink to={methodAddress(path, "recovery")}>{t("factors:ways.recovery")}</TextLink>
          </p>
        )}
        <p>
          <PhoneLinks text={t("common:noPhone.text")} />
        </p>
      </Disclosure>
    </div>
  );
}

/** Says where the code went, or which method is used. */
function statusOf(t: Translate, { proof, signedOut = false }: ProofScreenProps): StatusLine {
  const { method, code, question, isBegun, isLost, freeUntil } = proof;
  if (freeUntil !== undefined)
    return { status: t("factors:proof.free", { time: clockTimeInPoland(t, freeUntil) }) };
  if (isLost) return { status: t("factors:proof.lost") };
  if (method === "sms") return codeStatus(t, code, signedOut);
  if (question?.wait !== undefined) return { status: question.wait };
  const isByCode = method !== "passkey";
  return { status: isBegun && isByCode ? leadOf(t, method) : t(`factors:proof.${method}`) };
}

/** The lead of a screen that is confirmed by a factor. */
export function leadOf(t: Translate, method: Exclude<Method, "sms">): string {
  if (method === "recovery") return `${t("factors:recovery.lead")} ${t("factors:recovery.warning")}`;
  return t(method === "app" ? "factors:appCode.lead" : "factors:passkey.lead");
}

/** The status line. Bullets mean nothing when read aloud, so a screen reader gets the number in words. */
function Status({ line: { status, number } }: { readonly line: StatusLine }) {
  if (number === undefined) return <PhoneLinks text={status} />;
  const [before, after] = status.split(number);
  return (
    <>
      {before}
      <MaskedPhone shown={number} />
      {after}
    </>
  );
}

function Layout({
  method,
  wide,
  aside,
  children,
}: {
  readonly method: Method;
  readonly wide: boolean;
  readonly aside: ReactNode;
  readonly children: ReactNode;
}) {
  if (wide) return <WideScreen>{children}</WideScreen>;
  return (
    <Screen picture={method === "passkey" ? <PadlockPicture /> : <MessagePicture />} aside={aside}>
      {children}
    </Screen>
  );
}
