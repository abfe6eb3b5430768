import type { ReactNode } from "react";
import { Form } from "react-router-dom";
import type { RefusedForm } from "~/forms/refused-form";
import type { useScreenForm } from "~/forms/screen-form";
import { useTexts } from "~/i18n/use-texts";
import { Button, ButtonLink, ButtonRow } from "~/ui/button";
import { PageHeading, Screen, StepIndicator } from "~/ui/page-layout";
import { FormAlertBox, FormErrorDialog } from "./form-messages";
import { NoticeBox } from "./notice";
import type { NoticeText } from "./notice";

/** Props of the first screen of a journey: one or two fields, and the button that sends the code. */
interface StartScreenProps<Field extends string> {
  readonly here: string;
  readonly header: string;
  readonly lead: string;
  readonly submit: string;
  readonly notice: NoticeText | undefined;
  readonly refused: RefusedForm | undefined;
  readonly form: ReturnType<typeof useScreenForm<Field>>;
  readonly step?: { readonly current: number; readonly total: number };
  readonly fields: ReactNode;
  /** The button is disabled until every field is filled (specification §2, Register). */
  readonly waitsForFields?: boolean;
  /** With "Wstecz", a link to the start page. */
  readonly hasWayBack?: boolean;
  /** Shown beside the form if there is room. */
  readonly picture: ReactNode;
  /** Help beside the form, or after it on a phone. */
  readonly more?: ReactNode;
}

/** The first screen of a journey. */
export function StartScreen<Field extends string>(props: StartScreenProps<Field>) {
  const t = useTexts();
  const { here, refused } = props;
  const { form, alert } = props.form;
  return (
    <>
      <FormErrorDialog refused={refused} here={here} />
      <Screen picture={props.picture} aside={props.more}>
        {props.step && <StepIndicator {...props.step} />}
        <PageHeading header={props.header}>{props.lead}</PageHeading>
        {!refused && <NoticeBox notice={props.notice} />}
        <FormAlertBox alert={alert} formId={form.id} />
        <Form method="post" action={here} {...form} className="mt-6 space-y-6">
          {props.fields}
          <ButtonRow>
            <Button
              type="submit"
              data-busy={t("common:loading.sending")}
              data-waits-for-fields={props.waitsForFields}
            >
              {props.submit}
            </Button>
            {props.hasWayBack && (
              <ButtonLink to="/home" variant="quiet">
                {t("common:action.back")}
              </ButtonLink>
            )}
          </ButtonRow>
        </Form>
      </Screen>
    </>
  );
}
