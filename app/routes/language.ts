import { redirect, type LoaderFunctionArgs } from "@remix-run/node";
import { asLanguage } from "~/i18n/languages";
import { localPath } from "~/visit/local-path.server";
import { isGuess } from "~/visit/own-navigation.server";
import { openVisit, type Visit } from "~/visit/visit.server";

const START = "/home";

/**
 * The link in the footer: the portal speaks this language for the rest of the visit. Everybody may choose, in every
 * state; it changes nothing else, and leads back. A language that there is not changes nothing at all.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const visit = await openVisit(request);
  const language = asLanguage(params["code"]);
  if (language && !isGuess(request)) visit.setCookie("language", language);
  return redirect(wayBack(visit), 303);
}

export const action = loader;

/** Where one came from. Not to another choice, and not to the one address that signs out whoever opens it. */
function wayBack({ request, backend }: Visit): string {
  const back = localPath(new URL(request.url).searchParams.get("back")) ?? START;
  if (/^\/language\//i.test(back)) return START;
  // However it is written: no screen of the portal has an escape in its path.
  return /^\/(home\/logout|[^?]*%)/i.test(back) && backend.hasSession() ? START : back;
}
