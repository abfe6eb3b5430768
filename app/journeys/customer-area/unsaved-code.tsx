import type { CallResponse } from "~/contract/calls.server";
import { useTexts } from "~/i18n/use-texts";
import { Alert } from "~/ui/alert";
import { PlainLink } from "~/ui/text-link";
import type { Visit } from "~/visit/visit.server";

/** Whether a recovery code was shown and never confirmed. */
export function hasUnsavedCode({ recoveryCode }: CallResponse<"factors">): boolean {
  return recoveryCode?.kept === false;
}

/** The same for the first page after a sign-in, which says nothing if the list can't be loaded now. */
export async function loadUnsavedCode({ backend }: Visit): Promise<boolean> {
  const list = await backend.call("factors", {});
  return list.kind === "done" && hasUnsavedCode(list.value);
}

/** A recovery code that isn't written down opens nothing: the way to a new one. */
export function UnsavedCode() {
  const t = useTexts();
  return (
    <div className="mt-4">
      <Alert kind="warning">
        {t("factors:recovery.unsaved")}{" "}
        <PlainLink href="/home/recovery-code">{t("factors:recovery.unsavedLink")}</PlainLink>
      </Alert>
    </div>
  );
}
