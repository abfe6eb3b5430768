import type { Refused } from "~/contract/answer";
import { backendFor } from "./backend.server";
import { forgetFlow, rememberFlow } from "./flow.server";
import { go, settle, signOut, type Redirect } from "./gate.server";

/** Where a right password leads, or why it leads nowhere yet. */
export type Begun = { readonly kind: "redirect"; readonly response: Redirect } | Refused;

/**
 * What follows a right password (specification §4, Login): the session call; on a device that is not known, the code is
 * asked for at once. A code that was sent moments ago is found, not sent again.
 */
export async function beginSession(request: Request): Promise<Begun> {
  const backend = backendFor(request);
  const init = await backend.call("userInit", {});
  if (init.kind !== "not-activated") {
    const opened = await settle(request, init);
    if (opened.kind !== "done") return opened;
    forgetFlow();
    return { kind: "redirect", response: go(request, "/cp") };
  }
  const sent = await settle(request, await backend.call("activateSessionInit", {}));
  if (sent.kind === "done") {
    await rememberFlow({ name: "sign-in", codeSentAt: Date.now(), resent: false, trust: true });
    return { kind: "redirect", response: go(request, "/home/mfa") };
  }
  // A dialog ends here, and so does the half-open session: its button leads to the start page (specification §8).
  if (sent.kind === "refused") await signOut(request);
  return sent;
}
