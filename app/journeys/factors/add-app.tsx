import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Form } from "react-router-dom";
import { readCode } from "~/contract/rules";
import type { RefusedForm } from "~/forms/refused-form";
import { useScreenForm } from "~/forms/screen-form";
import { words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/titles";
import { problem } from "~/shell/problem";
import { BulletList } from "~/ui/bullet-list";
import { Disclosure } from "~/ui/disclosure";
import { MessagePicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { TextField } from "~/ui/text-field";
import { PlainLink } from "~/ui/text-link";
import { signedIn } from "~/visit/gate.server";
import type { Visit } from "~/visit/visit.server";
import { ConfirmButtons, FactorNameField } from "../kit/factor-screen";
import { factorChange } from "../kit/flows";
import { FormAlertBox, FormErrorDialog } from "../kit/form-messages";
import { answerAdd, answerChange, changeOn, loadChange, loadFactors, namedBy } from "./change";
import { ChangeScreen } from "./change-screen";
import { CopyButton } from "./copy-button";
import { newAppForm } from "./forms";
import { qrCode } from "./qr-code";

const HERE = "/home/add-app";

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t } = visit;
  const title = signInTitle(t, t("factors:add.title"));
  const app = changeOn(visit, HERE)?.app;
  if (app) return { step: 2 as const, title, ...secondStep(visit, app) };
  const list = await loadFactors(visit);
  if (!list.offered.includes("app")) throw problem(404);
  const header = t("factors:add.header");
  const texts = {
    title,
    header,
    reason: t("factors:add.reason"),
    submit: t("signInCode:submit"),
    next: t("factors:proof.next"),
  };
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
    which: [t("factors:add.which1"), t("factors:add.which2")],
    help: {
      title: t("factors:appCode.helpTitle"),
      items: [t("factors:appCode.help1"), t("factors:appCode.help2")],
    },
    words: words(t, {
      header: "factors:add.scanHeader",
      lead: "factors:add.lead",
      scan: "factors:add.scan",
      elsewhere: "factors:add.elsewhere",
      copy: "common:action.copy",
      copied: "factors:add.copied",
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
    kind: "app",
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
  help,
  words,
  refused,
}: ReturnType<typeof secondStep> & { readonly refused: RefusedForm | undefined }) {
  const { form, input, alert } = useScreenForm(newAppForm, { refused });
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
        <PageHeading header={words.header}>{words.lead}</PageHeading>
        <div className="hidden md:block">
          <p className="mt-4">{words.scan}</p>
          <QrPicture qr={qr} title={words.picture} />
        </div>
        <p className="mt-2">
          <PlainLink href={uri}>{words.open}</PlainLink>
        </p>
        <p className="mt-2">{words.key}</p>
        <p className="mt-1 max-w-line break-words rounded-control bg-tint p-3 font-semibold">{secret}</p>
        <div className="mt-2">
          <CopyButton {...words} value={secret.replaceAll(" ", "")} />
        </div>
        <div className="md:hidden">
          <Disclosure summary={words.elsewhere}>
            <p>{words.scan}</p>
            <QrPicture qr={qr} title={words.picture} />
          </Disclosure>
        </div>
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
          <Disclosure summary={help.title}>
            <BulletList items={help.items} />
          </Disclosure>
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
