import type { ComponentProps, ReactNode } from "react";
import { Form } from "react-router-dom";
import { MOST_FACTOR_NAME } from "~/contract/rules";
import type { RefusedForm } from "~/forms/refused-form";
import { MAIN_INTENT, type useScreenForm } from "~/forms/screen-form";
import { BulletList } from "~/ui/bullet-list";
import { Button, ButtonRow } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { MessagePicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";
import { FormAlertBox, FormErrorDialog } from "./form-messages";

/** Words of a screen that takes a code of an authenticator app, or a recovery code. */
export interface FactorWords {
  readonly lead: string;
  readonly hint: string;
  readonly checking: string;
  /** Advice if the code doesn't work. */
  readonly help?: { readonly title: string; readonly items: readonly string[] } | undefined;
}

/** Another way to confirm. */
export interface OtherWay {
  readonly href: string;
  readonly text: string;
}

interface FactorScreenProps {
  /** Address of the screen, with its method. */
  readonly here: string;
  readonly method: "app" | "recovery";
  readonly header: string;
  readonly submit: string;
  readonly back: string;
  readonly words: FactorWords;
  readonly form: ReturnType<typeof useScreenForm<"authorizationCode">>;
  readonly refused: RefusedForm | undefined;
  readonly ways: ReactNode;
  /** The way on after a 016: the screen that sends an SMS, or this one if none can be sent. */
  readonly afterBlock: { readonly address: string; readonly sends: boolean };
  /** The previous screen's notice about what has just happened. */
  readonly arrival?: ReactNode;
  readonly afterCode?: ReactNode;
  readonly more?: ReactNode;
}

const APP = {
  code: true,
  autoComplete: "one-time-code",
  inputMode: "numeric",
  maxLength: 11,
} as const;
/** A recovery code as people keep it: with a label before it and quotes around it. */
export const RECOVERY_TYPED_MAX = 200;
const RECOVERY = {
  autoComplete: "off",
  autoCapitalize: "characters",
  maxLength: RECOVERY_TYPED_MAX,
} as const;

/** A screen that takes a code of an app or a recovery code. It is shown while typed: it is used up at once. */
export function FactorScreen(props: FactorScreenProps) {
  const { here, method, words, form: screenForm, refused, afterBlock } = props;
  const { form, input, alert } = screenForm;
  return (
    <>
      <FormErrorDialog
        refused={refused}
        here={afterBlock.sends ? afterBlock.address : here}
        sendsCode={afterBlock.sends}
      />
      <Screen picture={<MessagePicture />} aside={props.more}>
        <PageHeading header={props.header}>{words.lead}</PageHeading>
        <FormAlertBox alert={alert} formId={form.id} />
        {props.arrival}
        <Form method="post" action={here} {...form} className="mt-6">
          <input type="hidden" name="method" value={method} />
          <FactorCodeField field={input("authorizationCode")} method={method} words={words} />
          {props.afterCode}
          <div className="mt-6">
            <ConfirmButtons submit={props.submit} back={props.back} checking={words.checking} />
          </div>
        </Form>
        {props.ways}
      </Screen>
    </>
  );
}

/** The field for a code of an app or a recovery code, and advice if it doesn't work. */
export function FactorCodeField({
  field,
  method,
  words,
}: Pick<FactorScreenProps, "method" | "words"> & { readonly field: ComponentProps<typeof TextField> }) {
  return (
    <>
      <TextField
        {...field}
        {...(method === "app" ? APP : RECOVERY)}
        hint={words.hint}
        autoCorrect="off"
        spellCheck={false}
      />
      {words.help && (
        <Disclosure summary={words.help.title}>
          <BulletList items={words.help.items} />
        </Disclosure>
      )}
    </>
  );
}

/** The main button of a form that confirms by a factor, and the way back. */
export function ConfirmButtons({
  submit,
  back,
  checking,
}: {
  readonly submit: string;
  readonly back: string;
  readonly checking: string;
}) {
  return (
    <ButtonRow>
      <Button type="submit" name="intent" value={MAIN_INTENT} data-busy={checking}>
        {submit}
      </Button>
      <Button type="submit" name="intent" value="back" variant="quiet" formNoValidate>
        {back}
      </Button>
    </ButtonRow>
  );
}

/** The customer's name for a new factor. */
export function FactorNameField(props: ComponentProps<typeof TextField>) {
  return <TextField {...props} maxLength={2 * MOST_FACTOR_NAME} autoComplete="off" />;
}

/** The other ways to confirm, after the form. */
export function OtherWays({ title, ways }: { readonly title: string; readonly ways: readonly OtherWay[] }) {
  if (ways.length === 0) return null;
  return (
    <section className="mt-6 border-t border-line pt-4">
      <h2 className="font-semibold">{title}</h2>
      <ul>
        {ways.map(({ href, text }) => (
          <li key={href}>
            <TextLink to={href}>{text}</TextLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
