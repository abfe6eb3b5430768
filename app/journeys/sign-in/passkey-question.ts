import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { isWait, REFUSAL_STATUS, waitHead } from "~/contract/refusal.server";
import { hasConsent, redirectToConsent, redirectTo } from "~/visit/browser.server";
import { openVisit } from "~/visit/visit.server";

/** For people there is nothing here: the script of a sign-in form asks by POST. */
export function loader({ request }: LoaderFunctionArgs) {
  return redirectTo(request, "/home");
}

/** The backend gave no answer that can be read. */
const FAILED = 502;

/**
 * Draws the question that any passkey of the portal may answer (contract: factors, Signing in by passkey). The page with
 * the form is the same for everybody, so its script asks here, once a field or the button is touched.
 */
export async function action(args: ActionFunctionArgs) {
  if (!hasConsent(args.request)) return redirectToConsent(args.request);
  const visit = await openVisit(args);
  const drawn = await visit.backend.call("passkeySignInInit", {});
  if (drawn.kind === "done") return Response.json(drawn.value.options);
  if (isWait(drawn)) return new Response(null, waitHead(drawn));
  // Only a 404 means that nothing is offered.
  return new Response(null, { status: drawn.kind === "failed" ? FAILED : REFUSAL_STATUS[drawn.kind] });
}
