import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useActionData, useLoaderData } from "@remix-run/react";
import { CopyButton } from "~/enhancements/copy-button";
import { FORMS } from "~/forms/forms";
import { openForm } from "~/forms/open-form.server";
import { textsFor } from "~/i18n/texts.server";
import { words } from "~/i18n/words.server";
import { FormErrorDialog } from "~/screen/form-messages";
import { formTexts } from "~/screen/form-texts.server";
import { signInTitle } from "~/screen/titles.server";
import { backendFor } from "~/session/backend.server";
import { rememberFlow } from "~/session/flow.server";
import { enter, go, settle } from "~/session/gate.server";
import { ButtonRow } from "~/ui/button-row";
import { Button, ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { ErrorSummary } from "~/ui/error-summary";
import { CheckPicture } from "~/ui/illustrations/of-screens";
import { PageHeading } from "~/ui/page-heading";
import { TextField } from "~/ui/text-field";

const HERE = "/home/confirm-login";

export async function loader({ request }: LoaderFunctionArgs) {
  const { username } = await enter(request, "signed-in");
  const t = await textsFor(request);
  return {
    title: signInTitle(t, t("username:confirm.title")),
    username,
    words: words(t, {
      header: "username:confirm.header",
      lead: "username:confirm.lead",
      label: "username:confirm.label",
      saveTip: "username:confirm.saveTip",
      change: "username:confirm.change",
      skip: "username:confirm.skip",
      skipHint: "username:confirm.skipHint",
      copy: "common:action.copy",
      copied: "common:action.copied",
    }),
  };
}

/** The one button sends the code for a change of the username (specification §2, Confirm-login). */
export async function action({ request }: ActionFunctionArgs) {
  const { username } = await enter(request, "signed-in");
  const form = await openForm(request, FORMS.nothing);
  const sent = await settle(request, await backendFor(request).call("loginChangeInit", { username }));
  if (sent.kind !== "done") return form.refuse(formTexts(await textsFor(request), FORMS.nothing, {}), sent);
  await rememberFlow({
    name: "change-username",
    username,
    origin: HERE,
    codeSentAt: Date.now(),
    resent: false,
    newUsername: "",
    newUsernameRepeat: "",
  });
  return go(request, "/home/change-login");
}

export default function ConfirmLogin() {
  const { words, username } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <>
      <FormErrorDialog refused={refused} here={HERE} />
      <Card>
        <CheckPicture />
        <div className="mt-4">
          <PageHeading header={words.header}>{words.lead}</PageHeading>
        </div>
        {refused?.alert && (
          <div className="mt-4">
            <ErrorSummary id="bledy" title={refused.alert.title} items={[]} />
          </div>
        )}
        <div className="mt-6">
          <TextField id="nazwa-uzytkownika" label={words.label} defaultValue={username} disabled />
          <CopyButton text={username} copy={words.copy} copied={words.copied} />
        </div>
        <p className="mt-3 text-sm text-neutral-600">{words.saveTip}</p>
        <Form method="post" id={FORMS.nothing.id} className="mt-6">
          <ButtonRow>
            <Button type="submit" name="intent" value="change">
              {words.change}
            </Button>
            <ButtonLink to="/cp" variant="quiet">
              {words.skip}
            </ButtonLink>
          </ButtonRow>
        </Form>
        <p className="mt-3 text-sm text-neutral-600">{words.skipHint}</p>
      </Card>
    </>
  );
}
