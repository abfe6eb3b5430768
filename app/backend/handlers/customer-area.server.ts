import type { ReadRequest } from "~/contract/calls.server";
import type { Caller } from "../caller.server";
import type { Said } from "../http/answers.server";
import { done, type Outcome } from "../outcome.server";
import type { Parts } from "../parts.server";
import {
  confirmDocumentPassword,
  startDocumentPassword,
} from "../services/accounts/document-password.server";
import { policiesOf } from "../services/accounts/customers.server";
import { profileOf } from "../services/accounts/profile.server";
import { requireActive } from "../services/sign-in/sessions.server";
import { forgetDevices } from "../services/sign-in/trusted-devices.server";

/** `GET /cp/api/policies` */
export async function policies(parts: Parts, caller: Caller): Promise<Outcome<Said>> {
  const session = await requireActive(parts, caller);
  if (session.kind !== "done") return session;
  return done({ body: { policies: await policiesOf(parts.store.read, session.value.customerId) } });
}

/** `GET /cp/api/profile` */
export async function profile(parts: Parts, caller: Caller): Promise<Outcome<Said>> {
  const session = await requireActive(parts, caller);
  if (session.kind !== "done") return session;
  return done({ body: await profileOf(parts, session.value) });
}

/** `PUT /cp/api/doc-pwd/{create,change}/init` */
export async function documentPasswordInit(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"documentPasswordInit">,
): Promise<Outcome<Said>> {
  const session = await requireActive(parts, caller);
  if (session.kind !== "done") return session;
  const sent = await startDocumentPassword(parts, caller, session.value, payload.resend === true);
  return sent.kind === "done" ? done({ body: {} }) : sent;
}

/** `PUT /cp/api/doc-pwd/{create,change}/confirm` */
export async function documentPasswordConfirm(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"documentPasswordConfirm">,
): Promise<Outcome<Said>> {
  const session = await requireActive(parts, caller);
  if (session.kind !== "done") return session;
  const set = await confirmDocumentPassword(parts, caller, session.value, payload);
  return set.kind === "done" ? done({ body: {} }) : set;
}

/** `DELETE /cp/api/trusted-devices/{id}` */
export async function deleteTrustedDevice(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"deleteTrustedDevice">,
): Promise<Outcome<Said>> {
  const session = await requireActive(parts, caller);
  if (session.kind !== "done") return session;
  await forgetDevices(parts, caller, session.value.accountId, payload.id);
  return done({ body: undefined });
}

/** `DELETE /cp/api/trusted-devices` */
export async function deleteTrustedDevices(parts: Parts, caller: Caller): Promise<Outcome<Said>> {
  const session = await requireActive(parts, caller);
  if (session.kind !== "done") return session;
  await forgetDevices(parts, caller, session.value.accountId);
  return done({ body: undefined });
}
