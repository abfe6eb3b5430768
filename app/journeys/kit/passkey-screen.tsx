import type { ReactNode } from "react";
import { Form } from "react-router-dom";
import type { FormAlert, RefusedForm } from "~/forms/refused-form";
import type { RequestOptions } from "~/contract/factors.server";
import { MAIN_INTENT, useScreenForm } from "~/forms/screen-form";
import { Alert } from "~/ui/alert";
import { BulletList } from "~/ui/bullet-list";
import { Button, ButtonRow } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { MessagePicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { passkeyForm } from "./forms";
import { FormAlertBox, FormErrorDialog } from "./form-messages";

/** The page's question for a passkey, or the reason why it can't ask now. */
export interface PasskeyQuestion {
  readonly options?: RequestOptions | undefined;
  readonly wait?: string | undefined;
}

/** A question with the words of its screen. */
export interface PasskeyQuestionInWords extends PasskeyQuestion {
  readonly words: PasskeyWords;
}

/** Words of a screen that asks for a passkey. */
export interface PasskeyWords {
  readonly lead: string;
  readonly submit: string;
  readonly back: string;
  readonly waiting: string;
  readonly checking: string;
  readonly warning: string;
  readonly help: { readonly title: string; readonly items: readonly string[] };
}

interface PasskeyScreenProps {
  /** Address of the screen, with its method. */
  readonly here: string;
  readonly header: string;
  /** Replaces the usual words. */
  readonly words: Partial<Pick<PasskeyWords, "lead" | "back">>;
  readonly question: PasskeyQuestionInWords;
  readonly refused: RefusedForm | undefined;
  readonly ways: ReactNode;
  /** The way on after a 016: the screen that sends an SMS, or this one if none can be sent. */
  readonly afterBlock: { readonly address: string; readonly sends: boolean };
  /** The previous screen's notice about what has just happened. */
  readonly arrival?: ReactNode;
  readonly afterAnswer?: ReactNode;
  readonly more?: ReactNode;
}

/** A screen that a passkey confirms. It needs scripts; without them its button says so. */
export function PasskeyScreen(props: PasskeyScreenProps) {
  const { here, refused, afterBlock, question } = props;
  const words = { ...question.words, ...props.words };
  const { form, input, alert } = useScreenForm(passkeyForm, { refused });
  return (
    <>
      <FormErrorDialog
        refused={refused}
        here={afterBlock.sends ? afterBlock.address : here}
        sendsCode={afterBlock.sends}
      />
      <Screen picture={<MessagePicture />} aside={props.more}>
        <PageHeading header={props.header}>{words.lead}</PageHeading>
        <FormAlertBox alert={passkeyAlert(input("response"), alert)} formId={form.id} />
        {props.arrival}
        {question.wait !== undefined && (
          <div className="mt-4 max-w-line">
            <Alert kind="warning">{question.wait}</Alert>
          </div>
        )}
        <Form method="post" action={here} {...form} {...asksPasskey(question)} className="mt-6">
          <input type="hidden" name="method" value="passkey" />
          <PasskeyAnswer {...input("response")} />
          <PasskeyHelp {...words} />
          {props.afterAnswer}
          <div className="mt-6">
            <PasskeyButtons {...words} />
          </div>
        </Form>
        {props.ways}
      </Screen>
    </>
  );
}

/** For the element of a form that a passkey confirms. */
export function asksPasskey({ options }: PasskeyQuestion) {
  return { "data-passkey": "get", "data-options": JSON.stringify(options) };
}

/** Advice if the passkey doesn't work. */
export function PasskeyHelp({ help }: Pick<PasskeyWords, "help">) {
  return (
    <Disclosure summary={help.title}>
      <BulletList items={help.items} />
    </Disclosure>
  );
}

/** A passkey's answer: filled in by scripts, so that no summary can lead to it. */
export function PasskeyAnswer({ name }: { readonly name: string }) {
  return <input type="hidden" name={name} value="" />;
}

/** The error of the last answer, as the alert above the form; otherwise the form's own alert. */
export function passkeyAlert(
  { error }: { readonly error: { readonly text: string } | undefined },
  alert: FormAlert | undefined,
): FormAlert | undefined {
  if (!error) return alert;
  // The first sentence says what went wrong, the others what to do.
  const [title = "", ...others] = error.text.split(/(?<=\.)\s/);
  const text = others.length > 0 ? others.join(" ") : undefined;
  return { title, text, items: [], speaksForFields: false };
}

/** The button that uses the passkey, and the way back. */
export function PasskeyButtons({
  submit,
  back,
  waiting,
  checking,
}: Pick<PasskeyWords, "submit" | "back" | "waiting" | "checking">) {
  return (
    <ButtonRow>
      <Button type="submit" name="intent" value={MAIN_INTENT} data-busy={checking} data-waiting={waiting}>
        {submit}
      </Button>
      <Button type="submit" name="intent" value="back" variant="quiet" formNoValidate>
        {back}
      </Button>
    </ButtonRow>
  );
}
