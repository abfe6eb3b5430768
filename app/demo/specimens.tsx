import type { ReactNode } from "react";
import { Alert } from "~/ui/alert";
import { BulletList } from "~/ui/bullet-list";
import { Button } from "~/ui/button";
import { Checklist } from "~/ui/checklist";
import { Dialog } from "~/ui/dialog";
import { Disclosure } from "~/ui/disclosure";
import { ErrorSummary } from "~/ui/error-summary";
import { FactList, PolicyCard } from "~/ui/policy-card";
import {
  BadgePicture,
  BarredGatePicture,
  BiscuitPicture,
  ClosedDoorPicture,
  EmptySheetPicture,
  LooseBrickPicture,
  MessagePicture,
  PadlockPicture,
  PolicyPicture,
  SignpostPicture,
  TwoTabsPicture,
} from "~/ui/illustrations";
import { StepIndicator } from "~/ui/page-layout";
import { SwitchField, TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";
import type { Translate } from "~/i18n/texts.server";
import { useTexts } from "~/i18n/use-texts";

/** A component, under its name in the code, in all its states. */
interface Specimen {
  readonly name: string;
  readonly shown: ReactNode;
}

/** The components of the design system that the gallery's own page doesn't use anyway. */
export function specimens(t: Translate): readonly Specimen[] {
  const facts = [
    { term: t("signIn:username.label"), value: "anna.nowak" },
    { term: t("common:code.label"), value: "123456" },
  ];
  return [
    { name: "Button", shown: <Buttons /> },
    { name: "TextLink", shown: <TextLink to="/demo/gallery">{t("signIn:forgotUsername")}</TextLink> },
    { name: "TextField", shown: <TextFields /> },
    { name: "SwitchField", shown: <Switches /> },
    {
      name: "Checklist",
      shown: (
        <Checklist
          id="checklist"
          items={[
            { text: t("password:checklist.length"), state: "open" },
            { text: t("password:checklist.uppercase"), state: "met" },
            { text: t("password:checklist.digit"), state: "missing" },
          ]}
        />
      ),
    },
    { name: "Alert", shown: <Alerts /> },
    {
      name: "ErrorSummary",
      shown: (
        <ErrorSummary
          id="error-summary"
          title={t("validation:summary.title", { count: 1 })}
          text={t("validation:summary.text")}
          items={[{ href: "#text-field-error", text: t("validation:required") }]}
        />
      ),
    },
    { name: "Dialog", shown: <OpenDialog /> },
    {
      name: "Disclosure",
      shown: <Disclosure summary={t("layout:logoutModal.header")}>{t("signOut:text")}</Disclosure>,
    },
    { name: "StepIndicator", shown: <Steps /> },
    { name: "FactList", shown: <FactList facts={facts} /> },
    {
      name: "PolicyCard",
      shown: (
        <ul>
          <PolicyCard
            name="Mieszkanie"
            state={{ text: t("signIn:username.label"), tone: "good" }}
            facts={facts}
          />
        </ul>
      ),
    },
    { name: "BulletList", shown: <BulletList items={[t("signOut:text"), t("signIn:username.tooltip")]} /> },
    { name: "Spinner", shown: <SpinnerParts /> },
    { name: "illustrations", shown: <Pictures /> },
  ];
}

const VARIANTS = ["primary", "secondary", "quiet"] as const;
const SIZES = ["large", "default", "small"] as const;

function Buttons() {
  const t = useTexts();
  return (
    <div className="space-y-3">
      {VARIANTS.map((variant) => (
        <div key={variant} className="space-y-3">
          {SIZES.map((size) => (
            <p key={size}>
              <Button type="button" variant={variant} size={size}>
                {t("password:submit")}
              </Button>
            </p>
          ))}
          <p>
            <Button type="button" variant={variant} aria-disabled>
              {t("password:submit")}
            </Button>
          </p>
        </div>
      ))}
    </div>
  );
}

function TextFields() {
  const t = useTexts();
  const [label, hint] = [t("signIn:username.label"), t("signIn:username.tooltip")];
  return (
    <div className="max-w-card space-y-6">
      <TextField id="text-field" label={label} hint={hint} />
      <TextField
        id="text-field-error"
        label={label}
        hint={hint}
        aria-invalid
        aria-describedby="text-field-error-error"
        error={{ id: "text-field-error-error", text: t("validation:required") }}
      />
      <TextField id="text-field-locked" label={label} defaultValue="anna.nowak" readOnly />
      <TextField id="text-field-password" label={label} type="password" defaultValue="anna.nowak" />
      <TextField
        id="text-field-code"
        label={t("common:code.label")}
        code
        inputMode="numeric"
        defaultValue="123456"
      />
    </div>
  );
}

function Switches() {
  const t = useTexts();
  const [label, hint] = [t("signInCode:trust.label"), t("signIn:username.tooltip")];
  const states = { on: t("signInCode:trust.on"), off: t("signInCode:trust.off") };
  return (
    <div className="max-w-card space-y-3">
      <SwitchField id="switch-on" label={label} hint={hint} states={states} defaultChecked />
      <SwitchField id="switch-off" label={label} states={states} />
      <SwitchField id="switch-locked" label={label} states={states} defaultChecked disabled />
    </div>
  );
}

const KINDS = ["error", "warning", "success", "info"] as const;

function Alerts() {
  const t = useTexts();
  return (
    <div className="space-y-3">
      {KINDS.map((kind) => (
        <Alert key={kind} kind={kind}>
          {t("signOut:text")}
        </Alert>
      ))}
    </div>
  );
}

function OpenDialog() {
  const t = useTexts();
  return (
    <div className="relative">
      <Dialog
        id="dialog"
        picture={<LooseBrickPicture />}
        header={t("layout:logoutModal.header")}
        message={t("signOut:text")}
        open
      >
        <Button type="button">{t("password:submit")}</Button>{" "}
        <Button type="button" variant="quiet">
          {t("common:action.back")}
        </Button>
      </Dialog>
    </div>
  );
}

function Steps() {
  return (
    <>
      <StepIndicator current={1} total={2} />
      <StepIndicator current={2} total={2} />
    </>
  );
}

function Pictures() {
  return (
    <div className="flex flex-wrap">
      <BadgePicture />
      <BarredGatePicture />
      <BiscuitPicture />
      <ClosedDoorPicture />
      <EmptySheetPicture />
      <MessagePicture />
      <PadlockPicture />
      <PolicyPicture />
      <LooseBrickPicture />
      <SignpostPicture />
      <TwoTabsPicture />
    </div>
  );
}

/** The spinner without its overlay, which would cover the page. */
function SpinnerParts() {
  const t = useTexts();
  return (
    <div className="max-w-xs rounded-card bg-card p-6 raised tight:p-2">
      <div className="spinner-ring" />
      <p className="spinner-text">{t("common:loading.default")}</p>
    </div>
  );
}
