import type { ReactNode } from "react";
import { Form } from "react-router-dom";
import type { FormAlert, FormDialog, RefusedForm } from "~/forms/refused-form";
import { Button, ButtonLink } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { ErrorSummary } from "~/ui/error-summary";
import { BarredGatePicture } from "~/ui/illustrations";
import { PhoneLinks } from "~/ui/phone";

/** Id of the alert above a form. Fields it describes refer to it. */
export const ALERT_ID = "errors";

/** The alert above a refused form. Its place is always there: scripts put their own summary in it. */
export function FormAlertBox({
  alert,
  formId,
}: {
  readonly alert: FormAlert | undefined;
  readonly formId: string;
}) {
  const items = alert?.items.map(({ field, text }) => ({ href: `#${formId}-${field}`, text }));
  return (
    <div data-alert-of={formId} className="mt-4 max-w-line empty:mt-0">
      {alert && <ErrorSummary {...alert} id={ALERT_ID} items={items ?? []} />}
    </div>
  );
}

/**
 * A modal error of the catalogue, first in `main`. `here`: the path of the screen, where the button for a new code
 * requests one; if `sendsCode` is false, it only leads back there.
 */
export function FormErrorDialog({
  refused,
  here,
  sendsCode = true,
}: {
  readonly refused: RefusedForm | undefined;
  readonly here: string;
  readonly sendsCode?: boolean;
}) {
  if (!refused?.dialog) return null;
  return (
    <OpenDialog
      key={refused.dialog.header}
      dialog={refused.dialog}
      kept={refused.result.initialValue ?? {}}
      here={here}
      sendsCode={sendsCode}
    />
  );
}

/** Whether the change isn't refused for a while, so that the page may ask for it behind the dialog. */
export function canBeMade(refused: RefusedForm | undefined): boolean {
  return refused?.dialog?.confirm.to === undefined;
}

interface OpenDialogProps {
  readonly dialog: FormDialog;
  /** Typed values that may be kept. They are sent along when a new code is requested. */
  readonly kept: Readonly<Record<string, unknown>>;
  readonly here: string;
  readonly sendsCode: boolean;
}

function OpenDialog({ dialog, kept, here, sendsCode }: OpenDialogProps) {
  return (
    <Dialog
      id="message"
      picture={dialog.isBarred && <BarredGatePicture />}
      header={dialog.header}
      message={dialog.message}
      body={
        dialog.waysOut && (
          <p className="mt-3">
            <PhoneLinks text={dialog.waysOut.call} />
          </p>
        )
      }
      open
    >
      <ConfirmButton dialog={dialog} kept={kept} here={here} sendsCode={sendsCode} />
      {dialog.cancel !== undefined && sendsCode && (
        <BesideConfirm>
          <ButtonLink variant="secondary" to={here} data-escape data-closes>
            {dialog.cancel}
          </ButtonLink>
        </BesideConfirm>
      )}
    </Dialog>
  );
}

/** A further button, below the confirm button on a phone and before it elsewhere. */
function BesideConfirm({ children }: { readonly children: ReactNode }) {
  // A block of its own: without styles two buttons would read as one word.
  return <div className="mt-3 sm:mr-3 sm:mt-0">{children}</div>;
}

function ConfirmButton({ dialog: { confirm, waysOut }, kept, here, sendsCode }: OpenDialogProps) {
  switch (confirm.does) {
    case "to-start":
      return (
        <ButtonLink to={confirm.to ?? "/home"} data-escape>
          {confirm.text}
        </ButtonLink>
      );
    case "sign-out":
      return (
        <form method="post" action="/home/logout" className="sm:flex sm:flex-row-reverse">
          {waysOut ? (
            <>
              <ButtonLink to="/home/reset-password-init">{waysOut.reset}</ButtonLink>
              <BesideConfirm>
                <SignOutButton variant="secondary" text={confirm.text} />
              </BesideConfirm>
            </>
          ) : (
            <SignOutButton text={confirm.text} />
          )}
        </form>
      );
    case "new-code":
      if (!sendsCode)
        return (
          <ButtonLink to={here} data-escape data-closes>
            {confirm.text}
          </ButtonLink>
        );
      return (
        <Form method="post" action={here}>
          {Object.entries(kept).map(([name, value]) =>
            typeof value === "string" ? <input key={name} type="hidden" name={name} value={value} /> : null,
          )}
          <Button type="submit" name="intent" value="send-code">
            {confirm.text}
          </Button>
        </Form>
      );
  }
}

function SignOutButton({ text, variant }: { readonly text: string; readonly variant?: "secondary" }) {
  return (
    <Button type="submit" name="intent" value="to-login" {...(variant && { variant })} data-escape>
      {text}
    </Button>
  );
}
