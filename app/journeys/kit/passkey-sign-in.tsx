import { createHmac } from "node:crypto";
import type { FormRefusal } from "~/contract/refusal.server";
import { PASSKEY_SIGN_IN } from "~/contract/rules/page";
import { defineForm } from "~/forms/form-definition";
import { openForm } from "~/forms/open-form.server";
import type { TextKey } from "~/i18n/texts.server";
import { useTexts } from "~/i18n/use-texts";
import { environment } from "~/platform/config/environment.server";
import { Button } from "~/ui/button";
import { ForScripts } from "~/ui/for-scripts";
import { readCookie } from "~/visit/browser.server";
import { sessionSecrets } from "~/visit/flow.server";
import type { CallOutcome, CustomerInfo, Visit } from "~/visit/visit.server";
import { continueAfterPassword } from "./continue-after-password";
import { signInForm } from "./forms";
import { passkeyAnswerIn } from "./passkey";

/** Whether sign-in forms offer passkeys. An attached backend that has none says so when a browser asks. */
export function offersPasskeys(): boolean {
  return environment().PASSKEY_SIGN_IN === "on";
}

/** As many accounts as can trust a browser. */
const MOST_ACCOUNTS = 4;

/**
 * Whether the customer may be offered a passkey in this browser: the account was used here with none yet, and hasn't
 * declined (docs/decisions/factors.md).
 */
export async function isOfferedPasskeys(visit: Visit): Promise<boolean> {
  const mark = await markOf(visit);
  return offersPasskeys() && mark !== undefined && !marksIn(visit).includes(mark);
}

/** Offers the account no passkey in this browser for a while: it has used one here, or the customer has declined. */
export async function offerNoPasskey(visit: Visit): Promise<void> {
  const mark = await markOf(visit);
  const marks = [mark, ...marksIn(visit).filter((other) => other !== mark)].slice(0, MOST_ACCOUNTS);
  if (mark !== undefined) visit.setCookie("passkeys", marks.join("."));
}

function marksIn({ request }: Visit): readonly string[] {
  return readCookie(request, "passkeys")?.split(".") ?? [];
}

/** An account's mark in the cookie: a keyed hash, so the cookie doesn't reveal usernames. */
async function markOf({ backend }: Visit): Promise<string | undefined> {
  const info = await backend.call("userInfo", {});
  const [secret = ""] = sessionSecrets();
  const mark = ({ username }: CustomerInfo) => createHmac("sha256", secret).update(`passkeys|${username}`);
  return info.kind === "done" ? mark(info.value).digest("base64url").slice(0, 16) : undefined;
}

/** The button under the main one. It sends nothing itself, so that no password manager takes it for the main button. */
export function PasskeyButton() {
  const t = useTexts();
  return (
    <ForScripts name={PASSKEY_SIGN_IN.name}>
      <span className="mt-3 block">
        <Button type="button" variant="secondary" size="large" data-waiting={t("factors:passkey.waiting")}>
          {t("signIn:passkey.button")}
        </Button>
      </span>
    </ForScripts>
  );
}

/** The sign-in form as answered by a passkey. @param refused the text for a refused answer */
function answeredForm(refused: TextKey) {
  const { label } = signInForm.fields.username;
  return defineForm(signInForm.id, {
    username: { rule: "text", label, optional: true },
    response: { rule: "passkey", label: "factors:passkey.label", refusedByBackend: refused, secret: true },
  });
}

/** The device gave no answer: it has no passkey, its window was closed, or something failed. */
const UNANSWERED = answeredForm("signIn:passkey.none");
/** The portal gave no challenge, or has stopped offering passkeys since the page was shown. */
const UNASKED = answeredForm("signIn:passkey.notNow");
/** The backend refused the answer. */
const WRONG = answeredForm("signIn:passkey.wrong");
const REFUSED_ANSWER: FormRefusal = { kind: "invalid", fields: ["response"] };

/** Handles the form with a passkey's answer. @param given the username that a reminder has found */
export async function answerPasskey(visit: Visit, given: Readonly<Record<string, string>>) {
  const body = await visit.posted();
  const form = openForm(body, WRONG, given);
  const checked = form.check();
  if (!checked.ok) {
    const isUnasked = checked.refused.broken["response"]?.key === `passkey.${PASSKEY_SIGN_IN.unasked}`;
    return openForm(body, isUnasked ? UNASKED : UNANSWERED, given).refuse(visit.t, REFUSED_ANSWER);
  }
  const opened = await visit.backend.call("passkeySignInConfirm", {
    response: passkeyAnswerIn(checked.values.response),
    deviceName: await visit.backend.deviceName(),
  });
  if (opened.kind === "not-found") return openForm(body, UNASKED, given).refuse(visit.t, REFUSED_ANSWER);
  const outcome = signInRefusal(await visit.redirectOnFailure(opened));
  const unknownPasskey = opened.kind === "refused" && opened.unknown;
  if (outcome.kind !== "done") return form.refuse(visit.t, outcome, { unknownPasskey });
  await offerNoPasskey(visit);
  const begun = await continueAfterPassword(visit);
  return begun.kind === "redirect" ? begun.response : form.refuse(visit.t, begun);
}

/** The catalogue's texts for 007 and 010 mention a code. */
function signInRefusal<Value>(outcome: CallOutcome<Value>): CallOutcome<Value> {
  if (outcome.kind !== "refused") return outcome;
  return outcome.errorCode === "007" || outcome.errorCode === "010" ? REFUSED_ANSWER : outcome;
}
