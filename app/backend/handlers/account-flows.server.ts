import type { ReadRequest } from "~/contract/calls.server";
import type { Caller } from "../caller.server";
import type { Said } from "../http/answers.server";
import { done, type Outcome } from "../outcome.server";
import type { Parts } from "../parts.server";
import { confirmPasswordReset, startPasswordReset } from "../services/accounts/password-reset.server";
import { confirmRegistration, startRegistration } from "../services/accounts/registration.server";
import { confirmUsernameChange, startUsernameChange } from "../services/accounts/username-change.server";
import { confirmReminder, startReminder } from "../services/accounts/username-reminder.server";
import { requireActive } from "../services/sign-in/sessions.server";

type Answer = Promise<Outcome<Said>>;

/** `POST /home/api/user/register/init` */
export async function registerInit(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"registerInit">,
): Answer {
  return nothingToSay(await startRegistration(parts, caller, payload));
}

/** `POST /home/api/user/register/confirm` */
export async function registerConfirm(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"registerConfirm">,
): Answer {
  return withSession(await confirmRegistration(parts, caller, payload));
}

/** `POST /home/api/user/{username}/password-reset/init` */
export async function passwordResetInit(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"passwordResetInit">,
): Answer {
  return nothingToSay(await startPasswordReset(parts, caller, payload));
}

/** `POST /home/api/user/{username}/password-reset/confirm` */
export async function passwordResetConfirm(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"passwordResetConfirm">,
): Answer {
  return withSession(await confirmPasswordReset(parts, caller, payload));
}

/** `POST /home/api/user/{username}/login-change/init` */
export async function loginChangeInit(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"loginChangeInit">,
): Answer {
  const session = await requireActive(parts, caller);
  if (session.kind !== "done") return session;
  return nothingToSay(await startUsernameChange(parts, caller, session.value, payload));
}

/** `POST /home/api/user/{username}/login-change/confirm` */
export async function loginChangeConfirm(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"loginChangeConfirm">,
): Answer {
  const session = await requireActive(parts, caller);
  if (session.kind !== "done") return session;
  return nothingToSay(await confirmUsernameChange(parts, caller, session.value, payload));
}

/** `POST /home/api/user/login-remind/init` */
export async function loginRemindInit(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"loginRemindInit">,
): Answer {
  return nothingToSay(await startReminder(parts, caller, payload));
}

/** `POST /home/api/user/login-remind/confirm` */
export async function loginRemindConfirm(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"loginRemindConfirm">,
): Answer {
  const reminded = await confirmReminder(parts, caller, payload);
  return reminded.kind === "done" ? done({ body: { username: reminded.value } }) : reminded;
}

function nothingToSay(outcome: Outcome<undefined>): Outcome<Said> {
  return outcome.kind === "done" ? done({ body: {} }) : outcome;
}

function withSession(outcome: Outcome<string | undefined>): Outcome<Said> {
  if (outcome.kind !== "done") return outcome;
  const { value } = outcome;
  return done({ body: {}, ...(value !== undefined && { cookies: [{ name: "session", value }] }) });
}
