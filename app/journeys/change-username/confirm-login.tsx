import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Form } from "react-router-dom";
import { keptValues } from "~/forms/form-definition";
import { openForm } from "~/forms/open-form.server";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { Button, ButtonLink, ButtonRow } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { CopyButton } from "~/ui/copy-button";
import { BadgePicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { TextField } from "~/ui/text-field";
import { signedIn } from "~/visit/gate.server";
import { canBeMade, FormErrorDialog } from "../kit/form-messages";
import { buttonsOnlyForm } from "../kit/forms";
import { NoticeBox, noticeText } from "../kit/notice";
import { SavedName } from "../kit/secret-field";
import { begunMemory } from "../kit/steps";
import { usernameChange, newUsernameForm } from "./change-login";

const HERE = "/home/confirm-login";

export async function loader(args: LoaderFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const { t } = visit;
  return {
    title: signInTitle(t, t("username:confirm.title")),
    notice: noticeText(visit),
    username: customer.username,
  };
}

/** The only button sends the code for a username change (specification §2, Confirm-login). */
export async function action(args: ActionFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const { username } = customer;
  const form = openForm(await visit.posted(), buttonsOnlyForm);
  const sent = await visit.call("loginChangeInit", { username });
  if (sent.kind !== "done") return form.refuse(visit.t, sent, { isSignedIn: true, origin: "/cp" });
  await visit.remember(usernameChange, {
    username,
    origin: HERE,
    ...begunMemory(sent.value, { resent: false }),
    ...keptValues(newUsernameForm),
  });
  return visit.redirectTo("/home/change-login");
}

export default function ConfirmLogin() {
  const t = useTexts();
  const { notice, username } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <>
      <FormErrorDialog refused={refused} here={HERE} />
      <Screen picture={<BadgePicture />} pictureFirst>
        <PageHeading header={t("username:confirm.header")}>{t("username:confirm.lead")}</PageHeading>
        {refused?.alert ? (
          <div className="mt-4">
            <ErrorSummary id="errors" title={refused.alert.title} items={[]} />
          </div>
        ) : (
          <NoticeBox notice={notice} />
        )}
        <div className="mt-6">
          {/* Password managers don't read a disabled field. */}
          <SavedName name={username} />
          <TextField
            id="current-username"
            label={t("username:confirm.label")}
            defaultValue={username}
            disabled
          />
          <div className="mt-2">
            <CopyButton value={username} copied={t("common:action.copied")} />
          </div>
        </div>
        <p className="mt-3 text-sm text-muted">{t("username:confirm.saveTip")}</p>
        <div className="mt-6">
          {canBeMade(refused) ? (
            <Form method="post" id={buttonsOnlyForm.id}>
              <ButtonRow>
                <Button type="submit" name="intent" value="change">
                  {t("username:confirm.change")}
                </Button>
                <SkipLink />
              </ButtonRow>
            </Form>
          ) : (
            <ButtonRow>
              <SkipLink />
            </ButtonRow>
          )}
        </div>
        <p className="mt-6 text-sm text-muted">{t("username:confirm.skipHint")}</p>
      </Screen>
    </>
  );
}

function SkipLink() {
  const t = useTexts();
  return (
    <ButtonLink to="/cp" variant="secondary">
      {t("username:confirm.skip")}
    </ButtonLink>
  );
}
