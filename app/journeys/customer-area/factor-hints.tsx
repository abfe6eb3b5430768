import type { CallResponse } from "~/contract/calls.server";
import { useTexts } from "~/i18n/use-texts";
import { Alert } from "~/ui/alert";
import { ForScripts } from "~/ui/for-scripts";
import { LinkButton, PlainLink } from "~/ui/text-link";
import { isOfferedPasskeys } from "../kit/passkey-sign-in";
import type { Visit } from "~/visit/visit.server";
import { PROFILE } from "./addresses";

type Factors = CallResponse<"factors">;

/** The button that dismisses the offer of a passkey. */
export const NOT_NOW = "passkey-later";

/** The hints about second factors on the first page after a sign-in. */
export interface FactorHints extends Pick<Factors, "passkeys"> {
  readonly hasUnsavedCode: boolean;
  /** Whether to offer a passkey, if the device can keep one. */
  readonly offersPasskey: boolean;
}

/** Loads the hints for the first page after a sign-in. Undefined if the list can't be loaded now. */
export async function loadFactorHints(visit: Visit): Promise<FactorHints | undefined> {
  const list = await visit.backend.call("factors", {});
  if (list.kind !== "done") return undefined;
  const { offered, passkeys } = list.value;
  return {
    hasUnsavedCode: hasUnsavedCode(list.value),
    offersPasskey: offered.includes("passkey") && (await isOfferedPasskeys(visit)),
    ...(passkeys && { passkeys }),
  };
}

/** Whether a recovery code was shown and never confirmed. */
export function hasUnsavedCode({ recoveryCode }: Factors): boolean {
  return recoveryCode?.kept === false;
}

/** Warns that the recovery code was never saved, with a link to a new code. */
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

/** Offers to sign in without a password next time, on devices that can (browser/passkey-offer.ts). */
export function PasskeyOffer() {
  const t = useTexts();
  return (
    <ForScripts name="passkey-offer">
      <form method="post" action={PROFILE} className="mt-4">
        {t("cp:passkeyOffer.text")}{" "}
        <span className="inline-block">
          <PlainLink href="/home/add-passkey">{t("cp:passkeyOffer.add")}</PlainLink>
          <span className="mr-4" />{" "}
          <LinkButton type="submit" name="intent" value={NOT_NOW}>
            {t("cp:passkeyOffer.later")}
          </LinkButton>
        </span>
      </form>
    </ForScripts>
  );
}

/**
 * The account's passkeys and its name, for the device, so that it offers neither a removed passkey nor an old username
 * (browser/passkey-device.ts). Invisible.
 */
export function KnownPasskeys({ passkeys }: Pick<Factors, "passkeys">) {
  return passkeys && <span data-known-passkeys={JSON.stringify(passkeys)} />;
}
