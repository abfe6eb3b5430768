import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Form } from "react-router-dom";
import type { CallResponse } from "~/contract/calls.server";
import { defineForm } from "~/forms/form-definition";
import type { RefusedForm } from "~/forms/refused-form";
import { useScreenForm } from "~/forms/screen-form";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { problem } from "~/shell/problem";
import { BulletList } from "~/ui/bullet-list";
import { Disclosure } from "~/ui/disclosure";
import { MessagePicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { signedIn } from "~/visit/gate.server";
import type { Visit } from "~/visit/visit.server";
import { factorChange } from "../kit/flows";
import { FormAlertBox, FormErrorDialog } from "../kit/form-messages";
import { isTimeLeft, passkeyAnswerIn } from "../kit/passkey";
import { offerNoPasskey } from "../kit/passkey-sign-in";
import {
  ConfirmButtons,
  FactorNameField,
  OtherMethods,
  passkeyAlert,
  PasskeyAnswer,
} from "../kit/proof-fields";
import {
  answerAdd,
  answerChange,
  changeOn,
  ChangeScreen,
  loadChange,
  loadFactors,
  namedBy,
  startAgain,
} from "./change";

const HERE = "/home/add-passkey";

type Prepared = CallResponse<"passkeyPrepare">;

/** A new passkey: its device's answer, and its name. */
export const newPasskeyForm = defineForm("new-passkey", {
  response: {
    rule: "passkey",
    label: "factors:passkey.label",
    refusedByBackend: "factors:addPasskey.wrong",
    secret: true,
    sample: "{}",
  },
  name: {
    rule: "factorName",
    label: "factors:name.label",
    optional: true,
    refusedByBackend: "factors:name.refused",
    sample: "Tablet",
  },
});

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t } = visit;
  const list = await loadFactors(visit);
  if (!list.offered.includes("passkey")) throw problem(404);
  const title = signInTitle(t, t("factors:addPasskey.title"));
  const made = changeOn(visit, HERE)?.passkey;
  // A device must not make a passkey that the backend no longer takes.
  if (made?.preparedAt && !isTimeLeft(made.preparedAt, made.options)) throw await startAgain(visit, HERE);
  if (made) return { title, made: { ...made, mayAddApp: list.offered.includes("app") } };
  return { title, proof: await loadChange(visit, HERE, list) };
}

export async function action(args: ActionFunctionArgs) {
  const { visit } = await signedIn(args);
  if ((await visit.posted()).has("id")) return addPasskey(visit);
  return answerChange(visit, {
    path: HERE,
    applies: ({ offered }) => offered.includes("passkey"),
    change: (proof) => visit.call("passkeyPrepare", proof),
    done: async (passkey) => {
      await visit.remember(factorChange, { path: HERE, resent: false, passkey: fitting(passkey) });
      return visit.redirectTo(HERE);
    },
  });
}

/** Larger options don't fit into the flow's cookie, and lose their list: the backend still refuses a known passkey. */
const MOST_OPTIONS = 2048;

function fitting({ id, options }: Prepared) {
  const { excludeCredentials: _known, ...rest } = options;
  const preparedAt = Date.now();
  return { id, options: JSON.stringify(options).length > MOST_OPTIONS ? rest : options, preparedAt };
}

function addPasskey(visit: Visit) {
  const id = changeOn(visit, HERE)?.passkey?.id;
  return answerAdd(visit, {
    path: HERE,
    kind: "passkey",
    form: newPasskeyForm,
    id,
    said: "response",
    add: async ({ response, name }) => {
      const answer = { id: id ?? "", response: passkeyAnswerIn(response), ...namedBy(name) };
      const added = await visit.call("passkeyConfirm", answer);
      if (added.kind === "done") await offerNoPasskey(visit);
      return added;
    },
  });
}

export default function AddPasskey() {
  const t = useTexts();
  const shown = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (shown.made) return <MakePasskey {...shown.made} refused={refused} />;
  return (
    <ChangeScreen
      proof={shown.proof}
      header={t("factors:addPasskey.header")}
      reason={t("factors:addPasskey.reason")}
      submit={t("signInCode:submit")}
      begin={t("factors:proof.next")}
      refused={refused}
    />
  );
}

interface MakePasskeyProps extends Prepared {
  readonly mayAddApp: boolean;
  readonly refused: RefusedForm | undefined;
}

function MakePasskey({ id, options, mayAddApp, refused }: MakePasskeyProps) {
  const t = useTexts();
  const { form, input, alert } = useScreenForm(newPasskeyForm, { refused });
  return (
    <>
      <FormErrorDialog refused={refused} here={HERE} />
      <Screen
        picture={<MessagePicture />}
        aside={
          <Disclosure summary={t("factors:addPasskey.what")}>
            <BulletList items={[t("factors:addPasskey.what1"), t("factors:addPasskey.what2")]} />
          </Disclosure>
        }
      >
        <PageHeading header={t("factors:addPasskey.makeHeader")}>{t("factors:addPasskey.make")}</PageHeading>
        <FormAlertBox alert={passkeyAlert(refused, alert)} formId={form.id} />
        <Form
          method="post"
          action={HERE}
          {...form}
          data-passkey="create"
          data-options={JSON.stringify(options)}
          className="mt-6 space-y-6"
        >
          <input type="hidden" name="id" value={id} />
          <FactorNameField field={input("name")} />
          <PasskeyAnswer />
          <ConfirmButtons submit={t("factors:addPasskey.submit")} method="passkey" />
        </Form>
        <OtherMethods
          links={mayAddApp ? [{ href: "/home/add-app", text: t("factors:addPasskey.appInstead") }] : []}
        />
      </Screen>
    </>
  );
}
