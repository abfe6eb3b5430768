import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Form } from "react-router-dom";
import type { CallResponse } from "~/contract/calls.server";
import type { RefusedForm } from "~/forms/refused-form";
import { useScreenForm } from "~/forms/screen-form";
import { words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/titles";
import { problem } from "~/shell/problem";
import { BulletList } from "~/ui/bullet-list";
import { Disclosure } from "~/ui/disclosure";
import { MessagePicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { signedIn } from "~/visit/gate.server";
import type { Visit } from "~/visit/visit.server";
import { FactorNameField, OtherWays } from "../kit/factor-screen";
import { factorChange } from "../kit/flows";
import { FormAlertBox, FormErrorDialog } from "../kit/form-messages";
import { isTimeLeft, passkeyAnswerIn, passkeyWords } from "../kit/passkey";
import { passkeyAlert, PasskeyAnswer, PasskeyButtons } from "../kit/passkey-screen";
import { answerAdd, answerChange, changeOn, loadChange, loadFactors, namedBy, startAgain } from "./change";
import { ChangeScreen } from "./change-screen";
import { newPasskeyForm } from "./forms";

const HERE = "/home/add-passkey";

type Prepared = CallResponse<"passkeyPrepare">;

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t } = visit;
  const list = await loadFactors(visit);
  if (!list.offered.includes("passkey")) throw problem(404);
  const title = signInTitle(t, t("factors:addPasskey.title"));
  const made = changeOn(visit, HERE)?.passkey;
  // A device must not make a passkey that the backend no longer takes.
  if (made?.preparedAt && !isTimeLeft(made.preparedAt, made.options)) throw await startAgain(visit, HERE);
  if (made) return { step: 2 as const, title, ...secondStep(visit, made, list.offered.includes("app")) };
  const texts = {
    title,
    header: t("factors:addPasskey.header"),
    reason: t("factors:addPasskey.reason"),
    submit: t("signInCode:submit"),
    next: t("factors:proof.next"),
  };
  return { step: 1 as const, ...(await loadChange(visit, HERE, list, texts)) };
}

function secondStep({ t }: Visit, { id, options }: Prepared, mayAddApp: boolean) {
  return {
    id,
    options,
    what: [t("factors:addPasskey.what1"), t("factors:addPasskey.what2")],
    ways: mayAddApp ? [{ href: "/home/add-app", text: t("factors:addPasskey.appInstead") }] : [],
    words: {
      ...passkeyWords(t),
      ...words(t, {
        header: "factors:addPasskey.makeHeader",
        make: "factors:addPasskey.make",
        nameHint: "factors:name.hint",
        submit: "factors:addPasskey.submit",
        what: "factors:addPasskey.what",
        ways: "factors:ways.title",
      }),
    },
  };
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
    add: ({ response, name }) =>
      visit.call("passkeyConfirm", { id: id ?? "", response: passkeyAnswerIn(response), ...namedBy(name) }),
  });
}

export default function AddPasskey() {
  const screen = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return screen.step === 1 ? (
    <ChangeScreen {...screen} refused={refused} />
  ) : (
    <MakePasskey {...screen} refused={refused} />
  );
}

function MakePasskey({
  id,
  options,
  what,
  ways,
  words,
  refused,
}: ReturnType<typeof secondStep> & { readonly refused: RefusedForm | undefined }) {
  const { form, input, alert } = useScreenForm(newPasskeyForm, { refused });
  return (
    <>
      <FormErrorDialog refused={refused} here={HERE} />
      <Screen
        picture={<MessagePicture />}
        aside={
          <Disclosure summary={words.what}>
            <BulletList items={what} />
          </Disclosure>
        }
      >
        <PageHeading header={words.header}>{words.make}</PageHeading>
        <FormAlertBox alert={passkeyAlert(input("response"), alert)} formId={form.id} />
        <Form
          method="post"
          action={HERE}
          {...form}
          data-passkey="create"
          data-options={JSON.stringify(options)}
          className="mt-6 space-y-6"
        >
          <input type="hidden" name="id" value={id} />
          <FactorNameField {...input("name")} hint={words.nameHint} />
          <PasskeyAnswer {...input("response")} />
          <PasskeyButtons {...words} />
        </Form>
        <OtherWays title={words.ways} ways={ways} />
      </Screen>
    </>
  );
}
