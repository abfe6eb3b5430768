import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { isWait, REFUSAL_STATUS, waitHead } from "~/contract/refusal.server";
import { hasConsent, redirectToConsent, redirectTo } from "~/visit/browser.server";
import { openVisit } from "~/visit/visit.server";

/** Not a page: the script of a sign-in form requests a challenge by POST. */
export function loader({ request }: LoaderFunctionArgs) {
  return redirectTo(request, "/home");
}

/** The backend gave no answer that can be read. */
const FAILED = 502;

/**
 * Issues a challenge that any passkey of the portal may answer (contract: factors, Signing in by passkey). The page is
 * the same for everybody, so its script requests the challenge here, once a field or the button is touched.
 */
export async function action(args: ActionFunctionArgs) {
  if (!hasConsent(args.request)) return redirectToConsent(args.request);
  const visit = await openVisit(args);
  const challenge = await visit.backend.call("passkeySignInInit", {});
  if (challenge.kind === "done") return Response.json(challenge.value.options);
  if (isWait(challenge)) return new Response(null, waitHead(challenge));
  // Only a 404 means that passkeys don't sign in here.
  return new Response(null, {
    status: challenge.kind === "failed" ? FAILED : REFUSAL_STATUS[challenge.kind],
  });
}
