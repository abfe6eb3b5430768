import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Form } from "react-router-dom";
import { readCode } from "~/contract/rules";
import { formTexts } from "~/forms/form-texts.server";
import type { RefusedForm } from "~/forms/refused-form";
import { useScreenForm } from "~/forms/screen-form";
import { words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/layout.server";
import { problem } from "~/shell/problem.server";
import { BulletList } from "~/ui/bullet-list";
import { Disclosure } from "~/ui/disclosure";
import { MessagePicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { TextField } from "~/ui/text-field";
import { PlainLink } from "~/ui/text-link";
import { signedIn } from "~/visit/gate.server";
import type { Visit } from "~/visit/visit.server";
import { ConfirmButtons, FactorNameField } from "../kit/factor-screen";
import { factorChange } from "../kit/flows.server";
import { FormAlertBox, FormErrorDialog } from "../kit/form-messages";
import { answerAdd, answerChange, changeOn, loadChange, loadFactors, namedBy } from "./change.server";
import { ChangeScreen } from "./change-screen";
import { newAppForm } from "./forms";
import { qrCode } from "./qr-code.server";

const HERE = "/home/add-app";

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t } = visit;
  const title = signInTitle(t, t("factors:add.title"));
  const app = changeOn(visit, HERE)?.app;
  if (app) return { step: 2 as const, title, ...secondStep(visit, app) };
  const list = await loadFactors(visit);
  if (!list.offered.includes("app")) throw await problem(visit, 404);
  const header = t("factors:add.header");
  const texts = { title, header, reason: t("factors:add.reason"), submit: t("signInCode:submit") };
  return { step: 1 as const, ...(await loadChange(visit, HERE, list, texts)) };
}

const GROUP = /.{4}/g;

function secondStep(
  { t }: Visit,
  app: { readonly id: string; readonly secret: string; readonly uri: string },
) {
  return {
    id: app.id,
    uri: app.uri,
    secret: (app.secret.match(GROUP) ?? [app.secret]).join(" "),
    qr: qrCode(app.uri),
    texts: formTexts(t, newAppForm),
    which: [t("factors:add.which1"), t("factors:add.which2")],
    words: words(t, {
      header: "factors:add.scanHeader",
      scan: "factors:add.scan",
      open: "factors:add.open",
      key: "factors:add.key",
      picture: "factors:add.picture",
      then: "factors:add.then",
      hint: "factors:appCode.hint",
      nameHint: "factors:name.hint",
      submit: "factors:add.submit",
      checking: "common:loading.checking",
      back: "common:action.back",
      which: "factors:add.which",
    }),
  };
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
    form: newAppForm,
    id,
    said: "code",
    add: ({ code, name }) =>
      visit.call("appConfirm", { id: id ?? "", code: readCode(code), ...namedBy(name) }),
  });
}

export default function AddApp() {
  const screen = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return screen.step === 1 ? (
    <ChangeScreen {...screen} refused={refused} />
  ) : (
    <ConnectApp {...screen} refused={refused} />
  );
}

function ConnectApp({
  id,
  uri,
  secret,
  qr,
  which,
  words,
  texts,
  refused,
}: ReturnType<typeof secondStep> & { readonly refused: RefusedForm | undefined }) {
  const { form, input, alert } = useScreenForm(newAppForm, { refused, texts });
  return (
    <>
      <FormErrorDialog refused={refused} here={HERE} />
      <Screen
        picture={<MessagePicture />}
        aside={
          <Disclosure summary={words.which}>
            <BulletList items={which} />
          </Disclosure>
        }
      >
        <PageHeading header={words.header}>{words.scan}</PageHeading>
        <QrPicture qr={qr} title={words.picture} />
        <p className="mt-2">
          <PlainLink href={uri}>{words.open}</PlainLink>
        </p>
        <p className="mt-2">{words.key}</p>
        <p className="mt-1 break-words rounded-control bg-tint p-3 font-semibold">{secret}</p>
        <p className="mt-4">{words.then}</p>
        <FormAlertBox alert={alert} formId={form.id} />
        <Form method="post" action={HERE} {...form} className="mt-6 space-y-6">
          <input type="hidden" name="id" value={id} />
          <TextField
            {...input("code")}
            code
            hint={words.hint}
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={11}
          />
          <FactorNameField {...input("name")} hint={words.nameHint} />
          <ConfirmButtons {...words} />
        </Form>
      </Screen>
    </>
  );
}

/** The QR code, black on white in both schemes: apps read nothing else reliably. */
function QrPicture({
  qr: { size, path },
  title,
}: {
  readonly qr: ReturnType<typeof qrCode>;
  readonly title: string;
}) {
  return (
    <svg
      role="img"
      aria-label={title}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      width="228"
      height="228"
      className="mt-4 max-w-full rounded-control"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
