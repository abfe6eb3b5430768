import { Alert } from "~/ui/alert";
import { PlainLink } from "~/ui/text-link";
import type { unsavedCode } from "./unsaved-code.server";

/** A recovery code that isn't written down opens nothing: the way to a new one. */
export function UnsavedCode({ text, link }: NonNullable<ReturnType<typeof unsavedCode>>) {
  return (
    <div className="mt-4">
      <Alert kind="warning">
        {text} <PlainLink href="/home/recovery-code">{link}</PlainLink>
      </Alert>
    </div>
  );
}
