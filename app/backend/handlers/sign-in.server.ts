import type { ReadRequest } from "~/contract/calls.server";
import type { Caller } from "../caller.server";
import type { Said } from "../http/answers.server";
import type { Cookie } from "../http/cookies.server";
import { SIGNED_OUT, done, type Outcome } from "../outcome.server";
import type { Parts } from "../parts.server";
import { confirmActivation, startActivation } from "../services/sign-in/activation.server";
import { audit } from "../services/audit.server";
import { nameOf } from "../services/accounts/customers.server";
import { endSession, findSession, requireActive } from "../services/sign-in/sessions.server";
import { signIn } from "../services/sign-in/sign-in.server";

const DAY_SECONDS = 24 * 60 * 60;

/** `POST /home/api/auth/login` */
export async function login(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"login">,
): Promise<Outcome<Said>> {
  const signedIn = await signIn(parts, caller, payload);
  if (signedIn.kind !== "done") return signedIn;
  return done({ body: {}, cookies: [{ name: "session", value: signedIn.value }] });
}

/** `POST /home/api/user/init`: whether everything is open to this session. */
export async function userInit(parts: Parts, caller: Caller): Promise<Outcome<Said>> {
  const session = await requireActive(parts, caller);
  return session.kind === "done" ? done({ body: {} }) : session;
}

/** `GET /home/api/user/info`: answers while pending, too. */
export async function userInfo(parts: Parts, caller: Caller): Promise<Outcome<Said>> {
  const session = await findSession(parts, caller);
  if (!session) return SIGNED_OUT;
  const name = await nameOf(parts.store.read, parts.keyring, session.customerId);
  return done({ body: { name, username: session.username } });
}

/** `DELETE /home/api/session` */
export async function deleteSession(parts: Parts, caller: Caller): Promise<Outcome<Said>> {
  if (caller.session !== undefined) {
    await parts.store.write(async (tx) => {
      const accountId = await endSession(tx, caller);
      if (accountId !== undefined) await audit(tx, caller, parts.clock(), { event: "signed-out", accountId });
    });
  }
  return done({ body: undefined, cookies: [{ name: "session", value: "", maxAge: 0 }] });
}

/** `POST /home/api/user/activate-session/init` */
export async function activateSessionInit(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"activateSessionInit">,
): Promise<Outcome<Said>> {
  const sent = await startActivation(parts, caller, payload.resend === true);
  return sent.kind === "done" ? done({ body: {} }) : sent;
}

/** `POST /home/api/user/activate-session/confirm` */
export async function activateSessionConfirm(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"activateSessionConfirm">,
): Promise<Outcome<Said>> {
  const activated = await confirmActivation(parts, caller, payload);
  if (activated.kind !== "done") return activated;
  const { session, trustedDevice } = activated.value;
  const cookies: Cookie[] = [{ name: "session", value: session }];
  if (trustedDevice !== undefined) {
    const maxAge = parts.limits.TRUSTED_DEVICE_DAYS * DAY_SECONDS;
    cookies.push({ name: "trusted-device", value: trustedDevice, maxAge });
  }
  return done({ body: {}, cookies });
}
