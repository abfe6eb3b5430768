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
import type { SpecimenWords } from "./specimen-words.server";

/** A component, under its name in the code, in all its states. */
interface Specimen {
  readonly name: string;
  readonly shown: ReactNode;
}

/** The components of the design system that the gallery's own page doesn't use anyway. */
export function specimens(words: SpecimenWords): readonly Specimen[] {
  return [
    { name: "Button", shown: <Buttons words={words} /> },
    { name: "TextLink", shown: <TextLink to="/demo/gallery">{words.link}</TextLink> },
    { name: "TextField", shown: <TextFields words={words} /> },
    { name: "SwitchField", shown: <Switches words={words} /> },
    {
      name: "Checklist",
      shown: <Checklist id="checklist" words={words.checklist} items={words.conditions} />,
    },
    { name: "Alert", shown: <Alerts words={words} /> },
    {
      name: "ErrorSummary",
      shown: (
        <ErrorSummary
          id="error-summary"
          title={words.summaryTitle}
          text={words.summaryText}
          items={[{ href: "#text-field-error", text: words.empty }]}
        />
      ),
    },
    { name: "Dialog", shown: <OpenDialog words={words} /> },
    { name: "Disclosure", shown: <Disclosure summary={words.question}>{words.message}</Disclosure> },
    { name: "StepIndicator", shown: <Steps words={words} /> },
    { name: "FactList", shown: <FactList facts={words.facts} /> },
    {
      name: "PolicyCard",
      shown: (
        <ul>
          <PolicyCard name="Mieszkanie" state={{ text: words.label, tone: "good" }} facts={words.facts} />
        </ul>
      ),
    },
    { name: "BulletList", shown: <BulletList items={[words.message, words.hint]} /> },
    { name: "Spinner", shown: <SpinnerParts words={words} /> },
    { name: "illustrations", shown: <Pictures /> },
  ];
}

const VARIANTS = ["primary", "secondary", "quiet"] as const;
const SIZES = ["large", "default", "small"] as const;

function Buttons({ words }: { readonly words: SpecimenWords }) {
  return (
    <div className="space-y-3">
      {VARIANTS.map((variant) => (
        <div key={variant} className="space-y-3">
          {SIZES.map((size) => (
            <p key={size}>
              <Button type="button" variant={variant} size={size}>
                {words.button}
              </Button>
            </p>
          ))}
          <p>
            <Button type="button" variant={variant} aria-disabled>
              {words.button}
            </Button>
          </p>
        </div>
      ))}
    </div>
  );
}

function TextFields({ words }: { readonly words: SpecimenWords }) {
  const { label, hint, empty, errorWord } = words;
  return (
    <div className="max-w-card space-y-6">
      <TextField id="text-field" label={label} hint={hint} />
      <TextField id="text-field-error" label={label} hint={hint} error={{ word: errorWord, text: empty }} />
      <TextField id="text-field-locked" label={label} defaultValue="anna.nowak" readOnly />
      <TextField id="text-field-password" label={label} type="password" defaultValue="anna.nowak" />
      <TextField
        id="text-field-code"
        label={words.codeLabel}
        code
        inputMode="numeric"
        defaultValue="123456"
      />
    </div>
  );
}

function Switches({ words }: { readonly words: SpecimenWords }) {
  const { switchLabel: label, hint, switchStates: states } = words;
  return (
    <div className="max-w-card space-y-3">
      <SwitchField id="switch-on" label={label} hint={hint} states={states} defaultChecked />
      <SwitchField id="switch-off" label={label} states={states} />
      <SwitchField id="switch-locked" label={label} states={states} defaultChecked disabled />
    </div>
  );
}

const KINDS = ["error", "warning", "success", "info"] as const;

function Alerts({ words }: { readonly words: SpecimenWords }) {
  return (
    <div className="space-y-3">
      {KINDS.map((kind) => (
        <Alert key={kind} kind={kind} word={words.alertWords[kind]}>
          {words.message}
        </Alert>
      ))}
    </div>
  );
}

function OpenDialog({ words }: { readonly words: SpecimenWords }) {
  return (
    <div className="relative">
      <Dialog
        id="dialog"
        picture={<LooseBrickPicture />}
        header={words.question}
        message={words.message}
        open
      >
        <Button type="button">{words.button}</Button>
        <Button type="button" variant="quiet">
          {words.back}
        </Button>
      </Dialog>
    </div>
  );
}

function Steps({ words }: { readonly words: SpecimenWords }) {
  return (
    <>
      {words.steps.map((text, index) => (
        <StepIndicator key={text} text={text} current={index + 1} total={words.steps.length} />
      ))}
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
function SpinnerParts({ words }: { readonly words: SpecimenWords }) {
  return (
    <div className="max-w-xs rounded-card bg-card p-6 raised tight:p-2">
      <div className="spinner-ring" />
      <p className="spinner-text">{words.wait}</p>
    </div>
  );
}
