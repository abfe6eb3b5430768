import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Form } from "react-router-dom";
import { readCode } from "~/contract/rules";
import { defineForm } from "~/forms/form-definition";
import type { RefusedForm } from "~/forms/refused-form";
import { useScreenForm } from "~/forms/screen-form";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { problem } from "~/shell/problem";
import { BulletList } from "~/ui/bullet-list";
import { CopyButton } from "~/ui/copy-button";
import { Disclosure } from "~/ui/disclosure";
import { MessagePicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { QrPicture } from "~/ui/qr-picture";
import { TextField } from "~/ui/text-field";
import { PlainLink } from "~/ui/text-link";
import { signedIn } from "~/visit/gate.server";
import type { Visit } from "~/visit/visit.server";
import { AppCodeHelp, ConfirmButtons, FactorNameField } from "../kit/proof-fields";
import { factorChange } from "../kit/flows";
import { FormAlertBox, FormErrorDialog } from "../kit/form-messages";
import { answerAdd, answerChange, changeOn, ChangeScreen, loadChange, loadFactors, namedBy } from "./change";

const HERE = "/home/add-app";

/** A new authenticator app: a code that it shows, and its name. */
export const newAppForm = defineForm("new-app", {
  code: {
    rule: "appCode",
    label: "factors:appCode.label",
    refusedByBackend: "factors:appCode.wrong",
    secret: true,
    sample: "123456",
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
  const title = signInTitle(t, t("factors:add.title"));
  const app = changeOn(visit, HERE)?.app;
  if (app) return { title, app };
  const list = await loadFactors(visit);
  if (!list.offered.includes("app")) throw problem(404);
  return { title, proof: await loadChange(visit, HERE, list) };
}

export async function action(args: ActionFunctionArgs) {
  const { visit } = await signedIn(args);
  if ((await visit.posted()).has("id")) return addApp(visit);
  return answerChange(visit, {
    path: HERE,
    change: (proof) => visit.call("appPrepare", proof),
    done: async (app) => {
      await visit.remember(factorChange, { path: HERE, resent: false, app });
      return visit.redirectTo(HERE);
    },
  });
}

function addApp(visit: Visit) {
  const id = changeOn(visit, HERE)?.app?.id;
  return answerAdd(visit, {
    path: HERE,
    kind: "app",
    form: newAppForm,
    id,
    said: "code",
    add: ({ code, name }) =>
      visit.call("appConfirm", { id: id ?? "", code: readCode(code), ...namedBy(name) }),
  });
}

export default function AddApp() {
  const t = useTexts();
  const shown = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (shown.app) return <ConnectApp {...shown.app} refused={refused} />;
  return (
    <ChangeScreen
      proof={shown.proof}
      header={t("factors:add.header")}
      reason={t("factors:add.reason")}
      submit={t("signInCode:submit")}
      begin={t("factors:proof.next")}
      refused={refused}
    />
  );
}

interface ConnectAppProps {
  readonly id: string;
  readonly uri: string;
  readonly secret: string;
  readonly refused: RefusedForm | undefined;
}

const GROUP = /.{4}/g;

function ConnectApp({ id, uri, secret, refused }: ConnectAppProps) {
  const t = useTexts();
  const { form, input, alert } = useScreenForm(newAppForm, { refused });
  return (
    <>
      <FormErrorDialog refused={refused} here={HERE} />
      <Screen
        picture={<MessagePicture />}
        aside={
          <Disclosure summary={t("factors:add.which")}>
            <BulletList items={[t("factors:add.which1"), t("factors:add.which2")]} />
          </Disclosure>
        }
      >
        <PageHeading header={t("factors:add.scanHeader")}>{t("factors:add.lead")}</PageHeading>
        <div className="hidden md:block">
          <ScanCode uri={uri} />
        </div>
        <p className="mt-2">
          <PlainLink href={uri}>{t("factors:add.open")}</PlainLink>
        </p>
        <div className="md:hidden">
          <Disclosure summary={t("factors:add.elsewhere")}>
            <ScanCode uri={uri} />
          </Disclosure>
        </div>
        <p className="mt-2">{t("factors:add.key")}</p>
        <p className="mt-1 max-w-line break-words rounded-control bg-tint p-3 font-semibold">
          {(secret.match(GROUP) ?? [secret]).join(" ")}
        </p>
        <div className="mt-2">
          <CopyButton value={secret} copied={t("factors:add.copied")} />
        </div>
        <p className="mt-4">{t("factors:add.then")}</p>
        <FormAlertBox alert={alert} formId={form.id} />
        <Form method="post" action={HERE} {...form} className="mt-6 space-y-6">
          <input type="hidden" name="id" value={id} />
          <TextField
            {...input("code")}
            code
            hint={t("factors:appCode.hint")}
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={11}
          />
          <AppCodeHelp />
          <FactorNameField field={input("name")} />
          <ConfirmButtons submit={t("factors:add.submit")} />
        </Form>
      </Screen>
    </>
  );
}

/** The QR code and its instruction. The stylesheet adds the text, because a text browser shows no picture to scan. */
function ScanCode({ uri }: { readonly uri: string }) {
  const t = useTexts();
  return (
    <>
      <p className="said mt-4" data-says={t("factors:add.scan")} />
      <QrPicture text={uri} label={t("factors:add.picture")} />
    </>
  );
}
